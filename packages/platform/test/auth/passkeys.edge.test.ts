import { useAll } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { maxPasskeysOfUser } from "../../src/auth/index.ts";
import { createEventStore, createUser } from "../events/event-store.ts";

describe("passkeys", () => {
  const store = useAll(createEventStore, (made) => made.database.close());

  const sessionOf = async (userId: string) => {
    const { id } = await store.platform.auth.sessions.start({ userId, method: "passkey", userAgent: "", address: "" });
    return { userId, sessionId: id };
  };
  const add = async (userId: string, id: string, counter = 1) => {
    const by = await sessionOf(userId);
    return store.platform.transaction(({ auth }) =>
      auth.passkeys.add({
        ...by,
        id,
        name: "Phone",
        publicKey: Buffer.from("key"),
        counter,
        transports: ["internal"],
      }),
    );
  };

  test("a credential is one user's alone", async () => {
    const [one, other] = [await createUser(store), await createUser(store)];
    expect(await add(one, "shared")).toBe(true);
    expect(await add(other, "shared")).toBe(false);
    expect((await store.platform.auth.passkeys.find("shared"))?.userId).toBe(one);
    const by = await sessionOf(other);
    expect(await store.platform.auth.passkeys.rename({ ...by, id: "shared", name: "Mine" })).toBe(false);
    expect(await store.platform.auth.passkeys.remove({ ...by, id: "shared" })).toBe(false);
  });

  test("as many are added at once, a user has no more than allowed", async () => {
    const userId = await createUser(store);
    const added = await Promise.all(
      Array.from({ length: maxPasskeysOfUser + 5 }, (_, index) => add(userId, `many-${index}`)),
    );
    expect(added.filter(Boolean)).toHaveLength(maxPasskeysOfUser);
    expect(await store.platform.auth.passkeys.listOfUser(userId)).toHaveLength(maxPasskeysOfUser);
  });

  test("a count that does not grow is a copy's; those that never count stay at 0", async () => {
    const userId = await createUser(store);
    await add(userId, "counts", 5);
    await add(userId, "synchronises", 0);
    const { passkeys } = store.platform.auth;
    const uses = await Promise.all([6, 6, 6].map((counter) => passkeys.recordUse({ id: "counts", counter })));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await passkeys.recordUse({ id: "counts", counter: 5 })).toBe(false);
    expect(await passkeys.recordUse({ id: "synchronises", counter: 0 })).toBe(true);
    expect(await passkeys.recordUse({ id: "synchronises", counter: 0 })).toBe(true);
  });

  test("a challenge is answered once, until it is forgotten for its age", async () => {
    const { passkeys } = store.platform.auth;
    const expiresAt = new Date(store.clock.now() + 1000);
    const answers = await Promise.all([1, 2, 3].map(() => passkeys.spendChallenge("challenge", expiresAt)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await passkeys.pruneChallenges()).toBe(0);
    store.clock.advance(1000);
    expect(await passkeys.pruneChallenges()).toBe(1);
  });
});

describe("users", () => {
  const store = useAll(createEventStore, (made) => made.database.close());

  test("of 10 at once with one address, in whatever case, one comes into being", async () => {
    const created = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store.platform.auth.users.create({
          email: index % 2 === 0 ? "one@example.com" : "ONE@Example.com",
          name: "One",
          passwordHash: "$argon2id$",
        }),
      ),
    );
    expect(created.filter(Boolean)).toHaveLength(1);
    expect((await store.platform.auth.users.findByEmail("oNe@example.COM"))?.id).toBe(created.find(Boolean)?.id);
  });

  test("a rehash gives way to a password that was changed meanwhile", async () => {
    const { users } = store.platform.auth;
    const user = await users.create({ email: "two@example.com", name: "Two", passwordHash: "old" });
    const userId = user?.id ?? "";
    await users.changePassword({ userId, passwordHash: "changed" });
    await users.rehashPassword({ userId, oldHash: "old", newHash: "old under new parameters" });
    expect((await users.get(userId))?.passwordHash).toBe("changed");
  });
});
