import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createApiKeySecret, hashApiKeySecret, hintOfApiKeySecret, parseApiKeySecret } from "../src/accounts/index.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe.each([
  { livemode: false, prefix: "gk_test_" },
  { livemode: true, prefix: "gk_live_" },
])("a key with livemode $livemode", ({ livemode, prefix }) => {
  test("has its prefix, 32 base62 characters, and the CRC32 of both in six more", () => {
    const secret = createApiKeySecret(livemode);
    expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$`));
    expect(readBase62(secret.slice(-6))).toBe(crc32(secret.slice(0, 40)));
  });

  test("tells its environment", () => {
    expect(parseApiKeySecret(createApiKeySecret(livemode))).toEqual({ livemode });
  });

  test("is never made twice, and uses every character in every place", () => {
    const secrets = Array.from({ length: 2000 }, () => createApiKeySecret(livemode));
    expect(new Set(secrets).size).toBe(2000);
    for (let place = 8; place < 40; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
    }
  });

  test("with any character changed is no key, so a mistyped one costs no query", () => {
    const secret = createApiKeySecret(livemode);
    const accepted: string[] = [];
    for (let place = 0; place < secret.length; place += 1) {
      for (const character of `${alphabet}_-. `) {
        const changed = secret.slice(0, place) + character + secret.slice(place + 1);
        if (changed !== secret && parseApiKeySecret(changed)) {
          accepted.push(changed);
        }
      }
    }
    expect(accepted).toEqual([]);
  });

  test("with two neighbours swapped is no key", () => {
    const secret = createApiKeySecret(livemode);
    const swapped = Array.from(
      { length: 46 },
      (_, at) => secret.slice(0, at) + secret[at + 1] + secret[at] + secret.slice(at + 2),
    );
    expect(swapped.filter((text) => text !== secret && parseApiKeySecret(text))).toEqual([]);
  });

  test("cut, lengthened or surrounded is no key", () => {
    const secret = createApiKeySecret(livemode);
    const texts = [
      secret.slice(1),
      secret.slice(0, -1),
      `${secret}a`,
      ` ${secret}`,
      `${secret} `,
      `${secret}\n`,
      `Bearer ${secret}`,
      `${secret}${secret}`,
    ];
    expect(texts.filter((text) => parseApiKeySecret(text))).toEqual([]);
  });

  test("is hinted at by its prefix and its last four characters", () => {
    const secret = createApiKeySecret(livemode);
    expect(hintOfApiKeySecret(secret)).toBe(`${prefix}…${secret.slice(-4)}`);
  });

  test("is stored as its SHA-256", () => {
    const secret = createApiKeySecret(livemode);
    expect(hashApiKeySecret(secret)).toEqual(createHash("sha256").update(secret).digest());
  });
});

test("a key of one environment cannot be written as one of the other", () => {
  expect(parseApiKeySecret(createApiKeySecret(false).replace("test", "live"))).toBeNull();
});

test("a checksum that begins with zeros keeps them", () => {
  const bodies = Array.from({ length: 5000 }, (_, index) => `gk_test_${String(index).padStart(32, "0")}`);
  const small = bodies.find((body) => crc32(body) < 62 ** 4) ?? "";
  const checksum = writeBase62(crc32(small));
  expect(checksum.length).toBeLessThanOrEqual(4);
  expect(parseApiKeySecret(`${small}_${checksum.padStart(6, "0")}`)).toEqual({ livemode: false });
  expect(parseApiKeySecret(`${small}_${checksum}`)).toBeNull();
});

function readBase62(text: string): number {
  return Array.from(text).reduce((sum, character) => sum * 62 + alphabet.indexOf(character), 0);
}

function writeBase62(value: number): string {
  return value === 0 ? "" : writeBase62(Math.floor(value / 62)) + alphabet[value % 62];
}
