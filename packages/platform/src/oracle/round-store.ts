import { sql, type Kysely } from "kysely";
import { readSignedRound, signRound, type PriceRound } from "./price-round.ts";
import type { PriceSigningKeys } from "./price-signing-key.ts";
import type { NewRound } from "./publish-rounds.ts";
import type { OracleTables } from "./tables.ts";

export type RoundScope = string;

export const everybody: RoundScope = "everybody";

type ScopedRound = { scope: RoundScope; round: NewRound };

type ScopedSymbol = { scope: RoundScope; symbol: string };

export interface RoundStore {
  find(input: ScopedSymbol & { roundId: number }): Promise<PriceRound | null>;
  findAll(input: {
    scopes: readonly RoundScope[];
    symbol: string;
    from: number;
    to: number;
  }): Promise<Map<RoundScope, PriceRound[]>>;
  /** Keeps rounds forever. Returns the kept ones, in the same order. */
  pin(symbol: string, rounds: readonly ScopedRound[]): Promise<PriceRound[]>;
}

/** Writes one row per statement, so that concurrent calls for the same rounds cannot deadlock. */
export function createRoundStore(
  db: Kysely<OracleTables>,
  { signingKeys }: { signingKeys: Pick<PriceSigningKeys, "signer"> },
): RoundStore {
  const find: RoundStore["find"] = async ({ scope, symbol, roundId }) => {
    const row = await db
      .selectFrom("price_rounds")
      .select("signature")
      .where("scope", "=", scope)
      .where("symbol", "=", symbol)
      .where("round_id", "=", roundId)
      .executeTakeFirst();
    return row ? readSignedRound(row.signature) : null;
  };
  return {
    find,
    findAll: async ({ scopes, symbol, from, to }) => {
      const rows = await db
        .selectFrom("price_rounds")
        .select(["scope", "signature"])
        .where("scope", "in", scopes)
        .where("symbol", "=", symbol)
        .where("round_id", ">=", from)
        .where("round_id", "<=", to)
        .orderBy("round_id")
        .execute();
      const byScope = Map.groupBy(rows, ({ scope }) => scope);
      return new Map([...byScope].map(([scope, of]) => [scope, of.map((row) => readSignedRound(row.signature))]));
    },
    pin: async (symbol, rounds) => {
      if (rounds.length === 0) {
        return [];
      }
      const sign = await signingKeys.signer();
      const kept: PriceRound[] = [];
      for (const { scope, round } of rounds) {
        const simulatedFor = scope === everybody ? null : scope;
        const signed = await signRound({ symbol, round, simulatedFor }, sign);
        const place = { scope, symbol, roundId: round.roundId };
        const isKept = await insertRound(db, place, signed);
        kept.push(isKept ? signed : ((await find(place)) ?? signed));
      }
      return kept;
    },
  };
}

async function insertRound(
  db: Kysely<OracleTables>,
  { scope, symbol, roundId }: ScopedSymbol & { roundId: number },
  { signature }: PriceRound,
): Promise<boolean> {
  const name = `price round ${scope} ${symbol} ${roundId}`;
  const isFree = db.isTransaction ? sql`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))` : sql`true`;
  const { numAffectedRows = 0n } = await sql`
    insert into price_rounds (scope, symbol, round_id, signature)
    select ${scope}, ${symbol}, ${roundId}::bigint, ${signature} where ${isFree}
    on conflict do nothing
  `.execute(db);
  return numAffectedRows > 0n;
}
