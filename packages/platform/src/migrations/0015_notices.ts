import { createMissingIndexes, type IndexMigration, type LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

const indexes = [
  // The admin keys that an account can go on with: whether another is there is one probe, from the one that lives longest.
  {
    name: "lasting_admin_keys",
    on: "api_keys (account_id, expires_at) where permission = 'admin' and revoked_at is null and replaced_by is null",
  },
  // How many notices of a kind somebody got in the last hour.
  { name: "mails_by_recipient", on: "mails (email, kind, created_at) where email is not null" },
];

/**
 * What the owners of an account are told, and how an operator suspends one.
 *
 * Gateways hear of a suspension by the trigger `accounts_changed`. A webhook says itself that its account is suspended, for dispatchers
 * ask at each turn; the queue of such a webhook is in no index that claims read, like that of a disabled one. The release before knows
 * neither column and goes on.
 */
export const notices: IndexMigration & LockingMigration = {
  indexes,
  locks: ["webhooks", "accounts"],
  async up(db: Kysely<unknown>) {
    await createMissingIndexes(db, indexes);
    for (const statement of suspension) {
      await sql.raw(statement).execute(db);
    }
  },
};

const watched = ["status", "url", "secret", "previous_secret", "deleted_at", "is_suspended"];
const rowOf = (version: string): string => `(${watched.map((column) => `${version}.${column}`).join(", ")})`;

const suspension = [
  `alter table accounts add column suspended_at timestamptz, add column suspension_reason text`,
  `alter table webhooks add column is_suspended boolean not null default false`,
  `create or replace function notify_webhook_changed() returns trigger language plpgsql as $$
  begin
    update webhook_queues
      set due_at = case when new.status = 'enabled' and not new.is_suspended and new.deleted_at is null then gateway_now() end
      where webhook_id = new.id
        and (new.status, new.is_suspended, new.deleted_at) is distinct from (old.status, old.is_suspended, old.deleted_at);
    perform pg_notify('deliveries_due', new.id || ' changed');
    return null;
  end $$`,
  `drop trigger webhooks_changed on webhooks`,
  `create trigger webhooks_changed after update of ${watched.join(", ")} on webhooks for each row
    when (${rowOf("old")} is distinct from ${rowOf("new")}) execute function notify_webhook_changed()`,
];
