import express from "express";
import pg from "pg";
import { listedResources } from "../setup/busy-account.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";

export type BareResourcesOptions = { databaseUrl: string; accountId: string };

/** Of JSON a number, as the gateway answers it. */
const types = { getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)) };

/**
 * What one would write by hand for a list and for a single one: a prepared query of a pool as large as the gateway's, each column under its
 * name in JSON, and `res.json`. What is sealed is not read.
 */
await serve(async ({ databaseUrl, accountId }: BareResourcesOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, types });
  const app = express();
  for (const { path, table } of listedResources) {
    const columns = (await readColumns(pool, table)).join(", ");
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
  return listenOnLoopback(app);
});

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
