import { createCipher, createCursorCodec, createTypeId, createTypeIds, systemClock } from "@gateway/kernel";
import { openDatabase } from "@gateway/database";
import { createTestDatabase, patience } from "@gateway/testkit";
import fc from "fast-check";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";

const longAgo = createTypeIds({ now: () => Date.now() - 3_600_000 });

type Follower = { after: string | undefined; told: string[]; before: ReadonlySet<string> };

let url: string;
let database: PlatformDatabase;
let platform: Platform;
let quick: pg.Client;
let late: pg.Client;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = openDatabase<Schema>({ url, ...patience });
  const cipher = createCipher([randomBytes(32)]);
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  platform = createPlatform(database, {
    ...{ clock: systemClock, cipher, cursors, livemode: false },
  });
  [quick, late] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([quick.connect(), late.connect()]);
});
afterAll(async () => {
  await Promise.all([quick.end(), late.end()]);
  await database.close();
});

/** A step in an account. `late`: its event is written when the one before it is committed. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("read" as const), who: fc.nat(5), limit: fc.constantFrom(1, 2, 7, 100) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("record" as const), count: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("late" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("join" as const),
      from: fc.constantFrom("oldest" as const, "now" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

async function insertEvents(client: pg.Client, accountId: string, ids: readonly string[]): Promise<void> {
  await client.query(
    `insert into events (id, account_id, type, body, created_at)
     select id, $1, 'wallet.created', '{"id":"' || id || '"}', now() from unnest($2::text[]) as made (id)`,
    [accountId, ids],
  );
}

test("each follower is told each event once and misses none, wherever it began, whoever else follows, whatever is committed when", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(30), fc.array(step, { minLength: 10, maxLength: 40 }), async (settled, steps) => {
      const accountId = createTypeId("acc");
      const account = createAccountOfEvents(accountId);
      await account.record(Array.from({ length: settled }, () => longAgo("evt")));
      const followers = [account.join("oldest")];
      for (const one of steps) {
        if (one.do === "read") {
          const follower = await followers[one.who % followers.length];
          await (follower && account.read(follower, one.limit));
        } else if (one.do === "record") {
          await account.record(Array.from({ length: one.count }, () => createTypeId("evt")));
        } else if (one.do === "late") {
          await account.recordLate();
        } else if (one.do === "join") {
          followers.push(account.join(one.from));
        } else {
          await sql`update follow_numbers set server = 'another' where account_id = ${accountId}`.execute(
            database.kysely,
          );
        }
        await Promise.all(followers);
      }
      await account.end();
      for (const follower of await Promise.all(followers)) {
        while (await account.read(follower, 100)) {
          // More rows follow.
        }
        const expected = account.committed.filter((id) => !follower.before.has(id));
        expect(follower.told.toSorted()).toEqual(expected.toSorted());
      }
    }),
    { numRuns: 60 },
  );
});

function createAccountOfEvents(accountId: string) {
  const committed: string[] = [];
  let pending: string | null = null;
  const end = async (): Promise<void> => {
    if (pending !== null) {
      await late.query("commit");
      committed.push(pending);
      pending = null;
    }
  };
  return {
    committed,
    end,
    record: async (ids: readonly string[]): Promise<void> => {
      await insertEvents(quick, accountId, ids);
      committed.push(...ids);
    },
    recordLate: async (): Promise<void> => {
      await end();
      pending = createTypeId("evt");
      await late.query("begin");
      await insertEvents(late, accountId, [pending]);
    },
    join: async (from: "oldest" | "now"): Promise<Follower> => {
      const before = new Set(from === "now" ? committed : []);
      return { after: from === "now" ? await platform.events.placeNow({ accountId }) : undefined, told: [], before };
    },
    /** Returns whether more may follow. */
    read: async (follower: Follower, limit: number): Promise<boolean> => {
      const page = await platform.events.follow({ accountId, limit, after: follower.after });
      follower.told.push(...page.items.map(({ id }) => id));
      follower.after = page.after;
      return page.hasMore || page.items.length > 0;
    },
  };
}
