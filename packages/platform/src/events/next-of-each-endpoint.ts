import { sql, type RawBuilder } from "kysely";

/**
 * A recursive CTE `endpoints (webhook_id, due_at)`: for every webhook with something pending, when the first of it is due. A
 * loose index scan on `deliveries_due`: one probe finds the next webhook and its first row, however many wait behind it.
 * While a delivery is leased its `due_at` is the end of the lease, so those in flight come after those that are due.
 */
export const nextOfEachEndpoint = sql`
  endpoints as (
    (select webhook_id, due_at from deliveries where status = 'pending' order by webhook_id, due_at, id limit 1)
    union all
    select following.webhook_id, following.due_at
    from endpoints
    cross join lateral (
      select webhook_id, due_at from deliveries
      where status = 'pending' and webhook_id > endpoints.webhook_id
      order by webhook_id, due_at, id
      limit 1
    ) following
  )`;

/**
 * Selects `count`: how many of an endpoint's deliveries are in flight, in all dispatchers, up to `limit`. An expired lease does
 * not count. The range with its order makes the planner walk the index itself, which clears it of entries that are gone; a
 * bitmap scan would read all of them again at every claim, until the next vacuum.
 */
export function leasedOf(id: RawBuilder<unknown>, { now, limit }: { now: Date; limit: number }): RawBuilder<unknown> {
  return sql`
    select count(*)::int as count from (
      select from deliveries
      where webhook_id between ${id} and ${id} and lease is not null and due_at > ${now}
      order by webhook_id
      limit ${limit}
    ) in_flight
  `;
}
