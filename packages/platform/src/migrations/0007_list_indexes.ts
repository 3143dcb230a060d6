import { addIndexes } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * For lists and look-ups that read a table, or one owner's part of it, to find little: the events of a rare type, a user's newest
 * sessions, what failed among what was delivered, the links that were mailed to an address.
 *
 * Built while others write. On 1,000,000 events that takes 7.5 s of a busy machine; plainly built, every insert would have waited for
 * 5 s. The index is as large as that by account, 100 MB, and an insert of an event costs 10 µs more.
 */
const indexes = addIndexes([
  { name: "events_by_type", on: "events (type, account_id, id)" },
  { name: "failed_deliveries_by_account", on: "deliveries (account_id, id) where status = 'failed'" },
  { name: "failed_deliveries_by_webhook", on: "deliveries (webhook_id, id) where status = 'failed'" },
  { name: "pending_deliveries_of_webhook", on: 'pending_deliveries (webhook_id collate "POSIX", id)' },
  { name: "live_grants_by_user", on: "grants (user_id, id) where revoked_at is null" },
  { name: "live_sessions_by_user", on: "sessions (user_id, id) where ended_at is null" },
  { name: "mail_links_by_email", on: "mail_links (lower(email)) where used_at is null" },
]);

export const listIndexes: Migration = {
  ...indexes,
  async up(db: Kysely<unknown>) {
    await indexes.up(db);
    // The new ones serve what these did.
    await sql`drop index if exists deliveries_undelivered, grants_by_user, pending_deliveries_by_webhook, sessions_by_user`.execute(
      db,
    );
    // Anybody may ask for an origin, and each question reads the whole list of what is to be indexed later.
    await sql`alter index oauth_applications_by_origin set (fastupdate = off)`.execute(db);
    await sql`select gin_clean_pending_list('oauth_applications_by_origin')`.execute(db);
  },
};
