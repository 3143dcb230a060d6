import { useAll } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createEventStore, createUser } from "../events/event-store.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe("sessions of browsers", () => {
  const store = useAll(createEventStore, (made) => made.database.close());
  let userId: string;

  beforeEach(async () => {
    userId = await createUser(store);
  });

  const sessions = () => store.platform.auth.sessions;
  const start = () => sessions().start({ userId, method: "password", userAgent: "Test", address: "192.0.2.1" });
  const lastSeen = async (id: string): Promise<number> =>
    (
      await store.database.kysely
        .selectFrom("sessions")
        .select("last_seen_at")
        .where("id", "=", id)
        .executeTakeFirstOrThrow()
    ).last_seen_at.getTime();

  test("are found by their secret, of which the database has the hash alone", async () => {
    const session = await start();
    expect(await sessions().find(session.secret)).toMatchObject({ id: session.id, userId, method: "password" });
    expect(await sessions().find("x".repeat(43))).toBeNull();
    const row = await store.database.kysely
      .selectFrom("sessions")
      .selectAll()
      .where("id", "=", session.id)
      .executeTakeFirst();
    expect(JSON.stringify(row)).not.toContain(session.secret);
  });

  test("end after 30 days without use, and live on with use", async () => {
    const [used, idle] = [await start(), await start()];
    store.clock.advance(30 * dayMs - 1);
    expect(await sessions().find(used.secret)).not.toBeNull();
    store.clock.advance(1);
    expect(await sessions().find(used.secret)).not.toBeNull();
    expect(await sessions().find(idle.secret)).toBeNull();
    expect((await sessions().listOfUser(userId)).map(({ id }) => id)).toEqual([used.id]);
  });

  test("end after 90 days whatever happens", async () => {
    const { secret } = await start();
    for (let day = 0; day < 9; day += 1) {
      store.clock.advance(10 * dayMs - (day === 8 ? 1 : 0));
      expect(await sessions().find(secret)).not.toBeNull();
    }
    store.clock.advance(1);
    expect(await sessions().find(secret)).toBeNull();
  });

  test("write down that they are alive at most once a minute", async () => {
    const { id, secret } = await start();
    const startedMs = store.clock.now();
    store.clock.advance(minuteMs - 1);
    await sessions().find(secret);
    expect(await lastSeen(id)).toBe(startedMs);
    store.clock.advance(1);
    await sessions().find(secret);
    expect(await lastSeen(id)).toBe(startedMs + minuteMs);
  });

  test("end one by one, and all but one, and never another user's", async () => {
    const [one, two, three] = [await start(), await start(), await start()];
    expect(await sessions().end({ sessionId: one.id, userId: "usr_other" })).toBe(false);
    expect(await sessions().end({ sessionId: one.id, userId })).toBe(true);
    expect(await sessions().end({ sessionId: one.id, userId })).toBe(false);
    await sessions().endAll({ userId, exceptId: two.id });
    const found = await Promise.all([one, two, three].map(({ secret }) => sessions().find(secret)));
    expect(found.map((session) => session?.id ?? null)).toEqual([null, two.id, null]);
  });

  test("are deleted once they are too old to be used, a batch at a time", async () => {
    await start();
    store.clock.advance(90 * dayMs);
    const fresh = await start();
    expect(await sessions().prune(1)).toBe(1);
    while ((await sessions().prune(100)) > 0) {
      // Those of the other tests.
    }
    const rows = await store.database.kysely.selectFrom("sessions").select("id").execute();
    expect(rows.map(({ id }) => id)).toEqual([fresh.id]);
  });
});
