import express from "express";
import pg from "pg";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";

export type BarePostgresOptions = { databaseUrl: string; accountId: string };

type WalletRow = {
  id: string;
  name: string;
  currency: string;
  available: string;
  pending: string;
  held: string;
  status: string;
  metadata: unknown;
  created_at: Date;
};

/** A hand-written page: one prepared query from a pool as large as the gateway's, and `res.json`. */
await serve(({ databaseUrl, accountId }: BarePostgresOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = express();
  app.get("/api/v1/wallets", async (_req, res) => {
    const { rows } = await pool.query<WalletRow>({
      name: "list_wallets",
      text: "select * from wallets where account_id = $1 order by id desc limit $2",
      values: [accountId, 21],
    });
    res.json(pageOf(rows));
  });
  return listenOnLoopback(app);
});

function pageOf(rows: readonly WalletRow[]): object {
  const shown = rows.slice(0, 20);
  return {
    data: shown.map((row) => ({
      id: row.id,
      name: row.name,
      currency: row.currency,
      status: row.status,
      balance: { available: Number(row.available), pending: Number(row.pending), held: Number(row.held) },
      metadata: row.metadata,
      createdAt: row.created_at.toISOString(),
    })),
    meta: {
      requestId: "req_01k00000000000000000000000",
      timestamp: new Date().toISOString(),
      hasMore: rows.length > 20,
      nextCursor: Buffer.from(shown.at(-1)?.id ?? "").toString("base64url"),
    },
  };
}
