import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Gateways hear of redirect URIs too: tokens serve pages of their application's origins only, and the accounts whose grants rest on it
 * are told as with its scopes. The application is told beside them, by its own id, for preflights are answered for all origins that are registered.
 */
const statements = [
  `create function notify_origins_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('credentials_changed', new.id);
    return null;
  end $$`,
  `create trigger oauth_application_origins_added after insert on oauth_applications for each row
    execute function notify_origins_changed()`,
  `create trigger oauth_application_origins_changed after update of redirect_origins on oauth_applications for each row
    execute function notify_origins_changed()`,
  `create trigger oauth_application_origins_revoked after update of redirect_origins on oauth_applications for each row
    execute function notify_application_changed()`,
];

export const redirectOriginsChanged: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
