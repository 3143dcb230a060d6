import { useAll } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { totpCodeOf } from "../../src/auth/index.ts";
import { createEventStore, createUser } from "../events/event-store.ts";

const stepMs = 30_000;

describe("authenticators", () => {
  const store = useAll(createEventStore, (made) => made.database.close());

  const codeIn = (secret: Buffer, steps = 0): string =>
    totpCodeOf(secret, Math.floor(store.clock.now() / stepMs) + steps);
  const sessionOf = async (userId: string, secondFactor: "totp" | null = null) => {
    const how = { method: "password", secondFactor, userAgent: "", address: "" } as const;
    const { id } = await store.platform.auth.sessions.start({ userId, ...how });
    return { userId, sessionId: id };
  };
  const add = async (userId: string, secret: Buffer, code = codeIn(secret)) => {
    const by = await sessionOf(userId, "totp");
    return store.platform.transaction(({ auth }) => auth.authenticators.add({ ...by, secret, code }));
  };
  const setUp = async () => {
    const [userId, secret] = [await createUser(store), randomBytes(20)];
    const recoveryCodes = await add(userId, secret);
    expect(recoveryCodes).toHaveLength(10);
    return { userId, secret, recoveryCodes: recoveryCodes as string[] };
  };
  const use = (userId: string, code: string) => store.platform.auth.authenticators.use({ userId, code });
  const usedAtOnce = async (userId: string, code: string) =>
    (await Promise.all(Array.from({ length: 20 }, () => use(userId, code)))).filter((proved) => proved !== null);

  test("one that does not know the secret is not added, and a user has one", async () => {
    const [userId, secret] = [await createUser(store), randomBytes(20)];
    expect(await add(userId, secret, codeIn(randomBytes(20)))).toBeNull();
    expect(await store.platform.auth.authenticators.find(userId)).toBeNull();
    await add(userId, secret);
    const another = randomBytes(20);
    expect(await add(userId, another, codeIn(another))).toBe("exists");
  });

  test("a code is accepted once, also of 20 at once, and none before it; the one that set it up is used up too", async () => {
    const { userId, secret } = await setUp();
    expect(await use(userId, codeIn(secret))).toBeNull();
    store.clock.advance(2 * stepMs);
    expect(await usedAtOnce(userId, codeIn(secret))).toEqual(["totp"]);
    expect(await use(userId, codeIn(secret, -1))).toBeNull();
    expect(await use(userId, codeIn(secret, 1))).toBe("totp");
    expect(await use(userId, codeIn(secret))).toBeNull();
  });

  test("a code with spaces is one, that of another user is none", async () => {
    const [one, other] = [await setUp(), await setUp()];
    store.clock.advance(stepMs);
    const code = codeIn(one.secret);
    expect(await use(other.userId, code)).toBeNull();
    expect(await use(one.userId, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe("totp");
  });

  test("a recovery code is accepted once, also of 20 at once, as it is typed", async () => {
    const { userId, recoveryCodes } = await setUp();
    const [one = "", two = ""] = recoveryCodes;
    expect(await usedAtOnce(userId, one)).toEqual(["recovery_code"]);
    expect(await use(userId, two.toLowerCase().replaceAll("-", " "))).toBe("recovery_code");
    expect(await store.platform.auth.authenticators.find(userId)).toMatchObject({ recoveryCodesLeft: 8 });
    expect(await use((await setUp()).userId, recoveryCodes[2] ?? "")).toBeNull();
  });

  test("new recovery codes end the old ones, and removing ends everything", async () => {
    const { userId, secret, recoveryCodes } = await setUp();
    const by = await sessionOf(userId, "totp");
    const renew = () => store.platform.transaction(({ auth }) => auth.authenticators.renewRecoveryCodes(by));
    const renewed = (await renew()) ?? [];
    expect(renewed).toHaveLength(10);
    expect(await use(userId, recoveryCodes[0] ?? "")).toBeNull();
    expect(await use(userId, renewed[0] ?? "")).toBe("recovery_code");
    expect(await store.platform.auth.authenticators.remove(by)).toBe(true);
    expect(await store.platform.auth.authenticators.remove(by)).toBe(false);
    store.clock.advance(stepMs);
    expect(await use(userId, codeIn(secret))).toBeNull();
    expect(await use(userId, renewed[1] ?? "")).toBeNull();
    expect(await renew()).toBeNull();
  });

  test("the database holds neither the secret nor a recovery code", async () => {
    const { userId, secret, recoveryCodes } = await setUp();
    const rows = JSON.stringify([
      await store.database.kysely.selectFrom("authenticators").selectAll().where("user_id", "=", userId).execute(),
      await store.database.kysely.selectFrom("recovery_codes").selectAll().where("user_id", "=", userId).execute(),
    ]);
    const [code = ""] = recoveryCodes;
    for (const text of [secret, Buffer.from(code), Buffer.from(code.replaceAll("-", ""))]) {
      expect(rows).not.toContain(JSON.stringify([...text]).slice(1, -1));
    }
  });
});
