import { hash } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { createPasswordHasher, createTurns, TooBusy } from "../src/browser/password-hasher.ts";
import { judgePassword } from "../src/browser/password-rules.ts";

const of = { email: "maria.keller@example.com", name: "Maria Keller" };

describe("a new password", () => {
  test.each([
    ["eleven code points", "hgqvzuwplkd", false],
    ["twelve", "hgqvzuwplkdj", true],
    ["128", "hgqvzuwplkdj4rtc".repeat(8), true],
    ["129", `${"hgqvzuwplkdj4rtc".repeat(8)}x`, false],
    ["twelve characters outside of the basic plane", "😀🌍🐎🔋📎🧵🥐🚲🪁🎲🧊🪵", true],
    ["eleven of them, which are 22 UTF-16 units", "😀🌍🐎🔋📎🧵🥐🚲🪁🎲🧊", false],
    ["spaces and any script", "тихий океан ночью", true],
    ["only punctuation, all different", "!§$%&/()=?*+", true],
    ["the address", "maria.keller@example.com", false],
    ["the address in other case", "MARIA.KELLER@EXAMPLE.COM", false],
    ["the name with digits behind", "MariaKeller1984", false],
    ["one character again and again", "aaaaaaaaaaaaaaa", false],
    ["two characters in turns", "abababababab", false],
    ["the alphabet", "abcdefghijklmnop", false],
    ["digits in order", "123456789012", false],
    ["a common one, repeated", "passwordpassword", false],
    ["a common one with digits and marks", "P@ssword-123456", false],
    ["a row of the keyboard", "qwertyuiop1234", false],
    ["four words", "ferry candle walnut orbit", true],
    ["a common word within a longer text", "my dragon eats walnuts", true],
  ])("%s", (_what, password, isGood) => {
    expect(judgePassword(password, of) === null).toBe(isGood);
  });

  test("is counted as it will be compared, in NFKC", () => {
    // U+FDFA is one character, and eighteen in NFKC.
    expect(judgePassword("\ufdfa".repeat(8), of)).toContain("at most 128");
  });
});

describe("hashes of passwords", () => {
  const hasher = createPasswordHasher();

  test("are argon2id with 19 MiB, two passes and one lane, each with its own salt", async () => {
    const [one, other] = await Promise.all([hasher.hash("ferry candle"), hasher.hash("ferry candle")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await hasher.verify(one, "ferry candle")).toBe(true);
    expect(await hasher.verify(one, "ferry Candle")).toBe(false);
  });

  test("are the same for the same characters, however they are typed", async () => {
    expect(await hasher.verify(await hasher.hash("caf\u00e9 ﬁn"), "cafe\u0301 fin")).toBe(true);
  });

  test("of other parameters are outdated", async () => {
    expect(hasher.isOutdated(await hash("x", { memoryCost: 1024, timeCost: 2, parallelism: 1 }))).toBe(true);
    expect(hasher.isOutdated(await hasher.hash("x"))).toBe(false);
  });

  test("of nobody fit no password", async () => {
    expect(await hasher.verify(null, "")).toBe(false);
  });
});

describe("turns", () => {
  test("so many work at once, so many wait in order, and the next one is refused", async () => {
    const inTurn = createTurns({ maxAtOnce: 2, maxWaiting: 3 });
    const ends: (() => void)[] = [];
    const order: number[] = [];
    const work = (number: number) =>
      inTurn(async () => {
        order.push(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        return number;
      });
    const results = [1, 2, 3, 4, 5].map(work);
    expect(order).toEqual([1, 2]);
    await expect(work(6)).rejects.toBeInstanceOf(TooBusy);
    ends[0]?.();
    await results[0];
    expect(order).toEqual([1, 2, 3]);
    const late = work(7);
    await expect(work(8)).rejects.toBeInstanceOf(TooBusy);
    for (let index = 1; index < 6; index += 1) {
      ends[index]?.();
      await results[index];
    }
    expect(await late).toBe(7);
    expect(order).toEqual([1, 2, 3, 4, 5, 7]);
  });

  test("work that fails gives its turn back", async () => {
    const inTurn = createTurns({ maxAtOnce: 1, maxWaiting: 1 });
    await expect(inTurn(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await inTurn(async () => "yes")).toBe("yes");
  });
});
