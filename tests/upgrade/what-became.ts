import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { sql } from "kysely";

/**
 * Ids of the webhooks. Two receive the events of wallets, one is only ever changed, and one has deliveries that wait.
 */
export type OldWebhooks = Record<"first" | "second" | "changed" | "hanging", string>;

export type FinishedDelivery = { id: string; eventId: string };

/** The newest. */
export async function readFinished({ kysely }: PlatformDatabase, limit: number): Promise<FinishedDelivery[]> {
  const { rows } = await sql<FinishedDelivery>`
    select id, event_id as "eventId" from deliveries where status = 'delivered' order by id desc limit ${limit}
  `.execute(kysely);
  return rows;
}

export async function countPending({ kysely }: PlatformDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pending_deliveries
  `.execute(kysely);
  return rows[0]?.count ?? 0;
}

export type OwedDelivery = { path: string; eventId: string; status: string };

/** Every delivery that was made. */
export async function readOwed({ kysely }: PlatformDatabase, webhooks: OldWebhooks): Promise<OwedDelivery[]> {
  const { rows } = await sql<OwedDelivery>`
    with owed as (
      select webhook_id, event_id, status from deliveries
      union all
      select webhook_id, event_id, 'pending' from pending_deliveries
    )
    select path, event_id as "eventId", status from owed join unnest(
      ${Object.keys(webhooks).map((name) => `/${name}`)}::text[], ${Object.values(webhooks)}::text[]
    ) as webhook (path, webhook_id) using (webhook_id)
  `.execute(kysely);
  return rows;
}

export async function countWalletsWithoutEvent({ kysely }: PlatformDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with told as (
      select body::jsonb -> 'data' -> 'object' ->> 'id' as id from events
      where created_at >= (select min(created_at) from wallets)
    )
    select count(*) as count from wallets where id not in (select id from told where id is not null)
  `.execute(kysely);
  return rows[0]?.count ?? 0;
}
