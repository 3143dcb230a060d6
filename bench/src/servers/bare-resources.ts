import type { OperationId } from "@gateway/contract";
import { openDatabase } from "@gateway/database";
import { operationTable } from "@gateway/gateway/operations";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createPlatform, type Platform, type Schema } from "@gateway/platform";
import { createSimulatedPorts } from "@gateway/simulation";
import express from "express";
import pg from "pg";
import { listedResources } from "../setup/busy-account.ts";
import { computedReads } from "../setup/computed-reads.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";

export type BareResourcesOptions = { databaseUrl: string; accountId: string; /** Base64. */ encryptionKey: string };

/** Of JSON a number, as the gateway answers it. */
const types = { getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)) };

/**
 * What one would write by hand for a list and for a single one: a prepared query of a pool as large as the gateway's, each column under its
 * name in JSON, and `res.json`. What is sealed is not read. What is computed is what the product's own operation answers, with nothing in front
 * of it and nothing behind: no key, no limit, no check.
 */
await serve(async ({ databaseUrl, accountId, encryptionKey }: BareResourcesOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, types });
  const app = express();
  for (const { path, table, more } of listedResources) {
    const columns = [...(await readColumns(pool, table)), ...(more === undefined ? [] : [more])].join(", ");
    const from = `select ${columns} from ${table} where account_id = $1`;
    app.get(path, async (_req, res) => {
      const query = { name: `list ${table}`, text: `${from} order by id desc limit $2`, values: [accountId, 21] };
      const { rows } = await pool.query<Row>(query);
      const shown = rows.slice(0, 20);
      const nextCursor = Buffer.from(String(shown.at(-1)?.["id"])).toString("base64url");
      res.json({ data: shown.map(present), meta: { ...metaNow(), hasMore: rows.length > 20, nextCursor } });
    });
    app.get(`${path}/:id`, async (req, res) => {
      const query = { name: `get ${table}`, text: `${from} and id = $2`, values: [accountId, req.params["id"]] };
      const { rows } = await pool.query<Row>(query);
      res.json({ data: rows.map(present)[0], meta: metaNow() });
    });
  }
  const platform = openProduct({ databaseUrl, encryptionKey });
  for (const { operation, path } of computedReads) {
    app.get(path, async (req, res) => {
      const { data, meta } = await answerOf(operation, platform, { accountId, path: req.params });
      res.json({ data, meta: { ...metaNow(), ...meta } });
    });
  }
  return listenOnLoopback(app);
});

/** As the gateway of a sandbox has it, with as many connections. */
function openProduct({ databaseUrl, encryptionKey }: Omit<BareResourcesOptions, "accountId">): Platform {
  const cipher = createCipher([Buffer.from(encryptionKey, "base64")]);
  const database = openDatabase<Schema>({ url: databaseUrl, applicationName: "bench", maxConnections: 10 });
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  return createPlatform(database, {
    ...{ clock: systemClock, cipher, cursors, livemode: false },
    createPorts: createSimulatedPorts,
  });
}

type Answer = { data: unknown; meta?: object };

function answerOf(
  operation: OperationId,
  deps: Platform,
  { accountId, path }: { accountId: string; path: object },
): Promise<Answer> {
  // Each reads its path, a query of what the document says unless sent, and whose account it is.
  const perform = operationTable[operation] as unknown as (call: object) => Promise<Answer>;
  return perform({ input: { path, query: { limit: 20 } }, principal: { accountId }, deps });
}

type Row = Record<string, unknown>;

async function readColumns(pool: pg.Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = $1 and data_type <> 'bytea' and column_name <> 'account_id' order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

function present(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}

function metaNow(): object {
  return { requestId: "req_01k00000000000000000000000", timestamp: new Date().toISOString() };
}
