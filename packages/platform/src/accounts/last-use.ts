import { sql, type Kysely } from "kysely";
import type { AccountsTables } from "./tables.ts";

/** From where a request came, as far as is known. `userAgent` is what its sender calls itself. */
export type RequestOrigin = { address: string | null; userAgent: string | null };

export type LastUse = { id: string; at: Date };
export type LastKeyUse = LastUse & { from: RequestOrigin };

const mostOfUserAgent = 120;

/** Times never go back. Rows are locked in one order, because every gateway does so, often with the same keys. */
export async function recordKeyUses(db: Kysely<AccountsTables>, uses: readonly LastKeyUse[]): Promise<void> {
  if (uses.length === 0) {
    return;
  }
  const origins = uses.map(({ from: { address, userAgent } }) =>
    JSON.stringify({ address, userAgent: userAgent?.slice(0, mostOfUserAgent) ?? null }),
  );
  await sql`
    update api_keys set last_used_at = used.at, last_used_from = used.origin::jsonb
    from (
      select used.* from unnest(${uses.map(({ id }) => id)}::text[], ${uses.map(({ at }) => at)}::timestamptz[], ${origins}::text[])
        as used (id, at, origin)
      join api_keys on api_keys.id = used.id and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)
      order by used.id for no key update of api_keys
    ) used
    where api_keys.id = used.id
  `.execute(db);
}

export async function recordUses(
  db: Kysely<AccountsTables>,
  table: "people" | "oauth_applications",
  uses: readonly LastUse[],
): Promise<void> {
  if (uses.length === 0) {
    return;
  }
  const name = sql.table(table);
  await sql`
    update ${name} set last_used_at = used.at
    from (
      select used.* from unnest(${uses.map(({ id }) => id)}::text[], ${uses.map(({ at }) => at)}::timestamptz[]) as used (id, at)
      join ${name} as known on known.id = used.id and (known.last_used_at is null or known.last_used_at < used.at)
      order by used.id for no key update of known
    ) used
    where ${name}.id = used.id
  `.execute(db);
}
