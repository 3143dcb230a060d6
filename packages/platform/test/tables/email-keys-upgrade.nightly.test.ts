import { migrate } from "@gateway/database";
import { createTestDatabase } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/migrations/index.ts";

const count = 100_000;

// A machine that does something else may be late once.
test(
  `${count} accounts get their keys while others sign up and change, who wait less than 750 ms, and no gateway is told`,
  { timeout: 300_000, retry: 1 },
  async () => {
    const { url } = await createTestDatabase({ migrated: false });
    await migrate(url, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0012")));
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client(url);
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    };
    const [client, listener] = [await connect(), await connect()];
    await client.query(`
    insert into users (id, email, name, created_at)
      select 'usr_' || n, 'Person' || n || '@Example.com', '', now() from generate_series(1, ${count}) n;
    insert into accounts (id, email, tier, created_at)
      select 'acc_' || n, 'Person' || n || '@Example.com', 'growth', now() from generate_series(1, ${count}) n;
    insert into people (id, account_id, user_id, email, role, invited_at, joined_at)
      select 'per_' || n, 'acc_' || n, 'usr_' || n, 'Person' || n || '@Example.com', 'owner', now(), now()
      from generate_series(1, ${count}) n
  `);
    const told: (string | undefined)[] = [];
    listener.on("notification", ({ payload }) => told.push(payload));
    await listener.query("listen credentials_changed");
    let longestMs = 0;
    let written = 0;
    let hasEnded = false;
    const writing = (async () => {
      for (; !hasEnded; written += 1) {
        const startedAt = performance.now();
        await client.query(
          `insert into users (id, email, name, created_at) values ('usr_new_${written}', 'New${written}@Example.com', '', now())`,
        );
        await client.query(`update accounts set tier = 'starter' where id = 'acc_${written + 1}'`);
        longestMs = Math.max(longestMs, performance.now() - startedAt);
        await delay(10);
      }
    })();

    const startedAt = performance.now();
    await migrate(url, migrations);
    const tookMs = performance.now() - startedAt;
    hasEnded = true;
    await writing;

    console.log(
      `${(tookMs / 1000).toFixed(1)} s, ${written} written meanwhile, the longest wait ${longestMs.toFixed(0)} ms`,
    );
    for (const table of ["users", "accounts", "people"]) {
      const { rows } = await client.query(
        `select count(*)::int from ${table} where email_key is distinct from fold_email(email)`,
      );
      expect(rows, table).toEqual([{ count: 0 }]);
    }
    expect(written).toBeGreaterThan(20);
    expect(longestMs).toBeLessThan(750);
    expect(new Set(told).size).toBeLessThanOrEqual(written + 1);
  },
);
