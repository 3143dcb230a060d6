import { sql, type Kysely } from "kysely";
import type { AccountsTables } from "./tables.ts";

/** Maximum number of an application's consents that are read, because users of any account may let it in. */
const mostCounted = 1000;

/** Number of people who let each application act for them now, each once. Applications without any are left out. */
export async function countPeople(
  db: Kysely<AccountsTables>,
  applicationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (applicationIds.length === 0) {
    return new Map();
  }
  const { rows } = await sql<{ id: string; count: number }>`
    select asked.id, living.count
    from unnest(${applicationIds}::text[]) as asked (id) cross join lateral (
      select count(distinct (user_id, account_id)) as count from (
        select user_id, account_id from grants
        where application_id between asked.id and asked.id and revoked_at is null
        order by application_id limit ${sql.lit(mostCounted)}
      ) consents
    ) living
  `.execute(db);
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}
