import { sql } from "kysely";
import type { TimeMover } from "@gateway/engine/account-time";
import { deliveriesDueChannel } from "@gateway/engine/wake-dispatchers";

/**
 * Time that a delivery does not need until it is due becomes its credit (`recordOutcomes`). Locked by id, as failures
 * are.
 */
export const moveDeliveries: TimeMover = async (trx, { accountId, byMs }) => {
  const usedMs = sql`least(${byMs}::bigint, greatest(0, ceil(extract(epoch from due_at - gateway_now()) * 1000)::bigint))`;
  await sql`
    with waiting as (
      select id from pending_deliveries where account_id = ${accountId} order by id for no key update
    ),
    moved as (
      update pending_deliveries pending
      set due_at = least(due_at, greatest(gateway_now(), due_at - ${byMs}::bigint * interval '1 millisecond')),
        credit_ms = credit_ms + ${byMs}::bigint - ${usedMs}
      from waiting
      where pending.account_id = ${accountId} and pending.id = waiting.id
      returning pending.webhook_id
    )
    select pg_notify(${deliveriesDueChannel}, webhook_id) from (select distinct webhook_id from moved) as touched
  `.execute(trx);
};
