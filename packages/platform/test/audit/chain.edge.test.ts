import { listPartitions } from "@gateway/database";
import { useEach } from "@gateway/testkit";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { sealedAfterMs, type ChainHead } from "../../src/audit/index.ts";
import { createEventStore } from "../events/event-store.ts";

const dayMs = 86_400_000;

const store = useEach(createEventStore, (made) => made.database.close());
let accountId: string;

beforeEach(async () => {
  ({ accountId } = store);
});

const audit = () => store.platform.audit;
const createKey = (name = "CI") =>
  store.platform.accounts.apiKeys.create({ accountId, name, permission: "read", expiresAt: null });
const seal = async (): Promise<number> => {
  store.clock.advance(sealedAfterMs + 1);
  return audit().chains.seal();
};
const verify = (logged: Omit<ChainHead, "accountId"> | null = null) => audit().verify({ accountId, logged });
const listIds = async (): Promise<string[]> =>
  (await Array.fromAsync(audit().exportEvents({ accountId }))).map(({ id }) => id);

/** Acts with the power of the database's owner. */
const tamper = (statement: ReturnType<typeof sql>): Promise<unknown> =>
  store.database.kysely.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await statement.execute(trx);
  });

/** The account's own event, and four more. */
async function fill(): Promise<string[]> {
  for (let count = 0; count < 4; count += 1) {
    await createKey();
    store.clock.advance(1);
  }
  return listIds();
}

describe("a chain", () => {
  test("has every event in the order of ids, once it is a minute old, and verifies", async () => {
    const ids = await fill();
    expect(await audit().chains.seal()).toBe(0);
    expect(await verify()).toMatchObject({ unsealed: 5, wrong: null, head: { sequence: 0 } });
    expect(await seal()).toBe(5);
    expect(await seal()).toBe(0);
    const events = await Array.fromAsync(audit().exportEvents({ accountId }));
    expect(events.map(({ id, sequence }) => [sequence, id])).toEqual(ids.map((id, index) => [index + 1, id]));
    expect(await verify()).toMatchObject({
      unsealed: 0,
      wrong: null,
      head: { sequence: 5, hash: events.at(-1)?.hash },
    });
  });

  test("tells a changed byte, and names the event", async () => {
    const ids = await fill();
    await seal();
    for (const column of ["type", "actor_type", "changes", "resource_id"]) {
      await tamper(sql`update audit_events set ${sql.ref(column)} = ${sql.ref(column)} || 'x' where id = ${ids[2]}`);
      expect((await verify()).wrong).toMatchObject({ id: ids[2], sequence: 3 });
      await tamper(sql`update audit_events set ${sql.ref(column)} = left(${sql.ref(column)}, -1) where id = ${ids[2]}`);
      expect((await verify()).wrong).toBeNull();
    }
    await tamper(sql`update audit_events set created_at = created_at + interval '1 microsecond' where id = ${ids[2]}`);
    expect((await verify()).wrong).toMatchObject({ id: ids[2] });
  });

  test("tells a removed row, in the middle and at the end", async () => {
    const ids = await fill();
    await seal();
    await tamper(sql`delete from audit_events where id = ${ids[4]}`);
    expect((await verify()).wrong).toMatchObject({ id: null, sequence: 5, reason: "events 5 to 5 are gone" });
    await tamper(sql`delete from audit_events where id = ${ids[2]}`);
    expect((await verify()).wrong).toMatchObject({ id: ids[3], reason: "events 3 to 3 before it are gone" });
  });

  test("tells rows that were swapped, and one that was put in", async () => {
    const ids = await fill();
    await seal();
    await tamper(sql`update audit_events set sequence = 5 - sequence where id in (${ids[1]}, ${ids[2]})`);
    expect((await verify()).wrong).toMatchObject({ sequence: 2, id: ids[2] });
    await tamper(sql`update audit_events set sequence = 5 - sequence where id in (${ids[1]}, ${ids[2]})`);
    await tamper(sql`
      insert into audit_events select id || 'x', account_id, type, actor_type, actor_id, application_id, resource_id, request_id,
        changes, personal, personal_salt, personal_hash, created_at, sequence, hash
      from audit_events where id = ${ids[2]}
    `);
    expect((await verify()).wrong).toMatchObject({ sequence: 3, id: `${ids[2]}x` });
  });

  test("that was written anew as a whole verifies, but not with a head that was logged", async () => {
    const ids = await fill();
    await seal();
    const heads: ChainHead[] = [];
    await audit().chains.logHeads((head) => heads.push(head));
    expect(heads).toMatchObject([{ accountId, sequence: 5 }]);
    await createKey();
    await seal();

    await tamper(sql`update audit_events set type = 'api_key.revoked' where id = ${ids[2]}`);
    await tamper(sql`update audit_events set sequence = null, hash = null`);
    await tamper(sql`delete from audit_chains`);
    await seal();

    expect((await verify()).wrong).toBeNull();
    expect((await verify(heads[0])).wrong).toMatchObject({
      id: ids[4],
      reason: expect.stringContaining("rewritten"),
    });
  });

  test("that is shorter than a head that was logged has lost its end", async () => {
    const ids = await fill();
    await seal();
    const { head } = await verify();
    await tamper(sql`delete from audit_events where id = ${ids[4]}`);
    await tamper(sql`delete from audit_chains`);
    await tamper(sql`update audit_events set sequence = null, hash = null`);
    await seal();
    expect((await verify(head)).wrong).toMatchObject({ reason: "events 5 to 5 are gone" });
  });

  test("is sealed once by many at once, and each chain apart from the others", async () => {
    const other = await store.platform.accounts.create({
      email: "b@example.com",
      tier: "growth",
      requestsPerMinute: null,
    });
    await fill();
    store.clock.advance(sealedAfterMs + 1);
    const sealed = await Promise.all(Array.from({ length: 6 }, () => audit().chains.seal()));
    expect(sealed.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(await verify()).toMatchObject({ wrong: null, head: { sequence: 5 } });
    expect(await audit().verify({ accountId: other?.id ?? "" })).toMatchObject({ wrong: null, head: { sequence: 1 } });
  });

  test("stands whatever is recorded and sealed beside one another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 8 }), async (steps) => {
        await Promise.all(
          steps.map(async (step) => {
            store.clock.advance(step * 20_000);
            return step === 0 ? audit().chains.seal() : createKey();
          }),
        );
        expect((await verify()).wrong).toBeNull();
      }),
      { numRuns: 10 },
    );
    await seal();
    expect(await verify()).toMatchObject({ unsealed: 0, wrong: null, head: { sequence: (await listIds()).length } });
  });
});

describe("the head of a chain", () => {
  test("is logged when it has grown, once an hour at most, by whichever process", async () => {
    const log = async (): Promise<number[]> => {
      const heads: number[] = [];
      await Promise.all([1, 2, 3].map(() => audit().chains.logHeads(({ sequence }) => heads.push(sequence))));
      return heads;
    };
    await fill();
    await seal();
    expect(await log()).toEqual([5]);
    await createKey();
    await seal();
    expect(await log()).toEqual([]);
    store.clock.advance(3_600_000);
    expect(await log()).toEqual([6]);
    store.clock.advance(3_600_000);
    expect(await log()).toEqual([]);
  });
});

describe("personal data", () => {
  test("is deleted without breaking the chain: names and addresses are gone, what was done stays", async () => {
    const person = await store.platform.accounts.people.invite({ accountId, email: "ada@example.com", role: "owner" });
    await seal();

    expect(await audit().forgetPersonal({ accountId, personId: person.id })).toBe(1);

    const { rows } = await sql<{ text: string }>`select to_jsonb(audit_events)::text as text from audit_events`.execute(
      store.database.kysely,
    );
    expect(rows.filter(({ text }) => text.includes("ada@example.com"))).toEqual([]);
    await seal();
    expect(await verify()).toMatchObject({ wrong: null, head: { sequence: 3 } });
    const { items } = await audit().list({ accountId, resourceId: person.id, limit: 10 });
    expect(items.map(({ type, changes }) => [type, changes.map(({ field }) => field)])).toEqual([
      ["personal_data.deleted", []],
      ["person.invited", ["role", "status", "invitedAt"]],
    ]);
  });

  test("that was changed is told", async () => {
    const ids = await fill();
    await seal();
    await tamper(sql`update audit_events set personal = replace(personal, 'CI', 'XX') where id = ${ids[1]}`);
    expect((await verify()).wrong).toMatchObject({ id: ids[1], reason: "its personal data is not what was recorded" });
  });
});

describe("the trigger", () => {
  const refused = (statement: ReturnType<typeof sql>) =>
    expect(statement.execute(store.database.kysely)).rejects.toMatchObject({ code: "42501" });

  test.each([
    "update audit_events set type = 'x'",
    "update audit_events set changes = '[]', sequence = 1, hash = 'x'",
    "update audit_events set personal = 'x'",
    "update audit_events set personal_salt = 'x'",
    "update audit_events set account_id = 'x'",
    "delete from audit_events",
    "truncate audit_events",
  ])("refuses %s, sealed or not", async (statement) => {
    await refused(sql.raw(statement));
    await seal();
    await refused(sql.raw(statement));
  });

  test("lets a place be filled in once, never changed or taken back", async () => {
    await seal();
    await refused(sql`update audit_events set sequence = 2`);
    await refused(sql`update audit_events set hash = 'x'`);
    await refused(sql`update audit_events set sequence = null, hash = null`);
  });

  test("lets nothing come back that was deleted", async () => {
    await audit().forgetPersonal({ accountId });
    await refused(sql`update audit_events set personal = '{}', personal_salt = 'x' where personal is null`);
  });
});

describe("after 400 days", () => {
  const partitionMs = 28 * dayMs;
  const names = async (): Promise<string[]> =>
    (await listPartitions(store.database.kysely, "audit_events")).map(({ name }) => name);

  test("events are not shown, then their partition goes, and the chain that is left verifies", async () => {
    // Begins on the first day of a partition, because the outcome depends on the place of an event within one.
    store.clock.set(Math.ceil(store.clock.now() / partitionMs) * partitionMs);
    await audit().retention.createPartitions();
    await fill();
    const [first] = (await names()).slice(-2);
    for (let week = 0; week < 8; week += 1) {
      store.clock.advance(7 * dayMs);
      await audit().retention.createPartitions();
      await createKey();
    }
    await seal();
    store.clock.advance(400 * dayMs - 6 * 7 * dayMs);
    await audit().retention.createPartitions();
    const shown = (await audit().list({ accountId, limit: 100 })).items.length;
    expect(shown).toBeLessThan(13);
    store.clock.advance(56 * dayMs);

    await Promise.all([audit().retention.dropExpired(), audit().retention.dropExpired()]);

    expect(await names()).not.toContain(first);
    const left = await Array.fromAsync(audit().exportEvents({ accountId }));
    expect(left.length).toBeLessThan(13);
    expect(left.length).toBeGreaterThan(0);
    expect(await verify()).toMatchObject({ wrong: null, head: { sequence: 13 } });
    await tamper(sql`delete from audit_events where id = ${left[0]?.id}`);
    expect((await verify()).wrong).toMatchObject({ reason: expect.stringContaining("are gone") });
  });

  test("what is not sealed stays until it is", async () => {
    await fill();
    const first = (await names())[0];
    store.clock.advance(500 * dayMs);
    await audit().retention.dropExpired();
    expect(await names()).toContain(first);
    await seal();
    await audit().retention.dropExpired();
    expect(await names()).not.toContain(first);
    expect(await verify()).toMatchObject({ wrong: null, head: { sequence: 5 } });
  });
});
