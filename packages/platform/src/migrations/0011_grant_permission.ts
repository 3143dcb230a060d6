import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * What a user consented to stays in the grant, whatever the application asks for or is registered for later.
 *
 * The scopes of the consents so far are sealed, and a migration has no key to them. They need none: a token has no scope that was not
 * consented to, so a grant without a permission, also one that the release before makes, is worth what its tokens' scopes say. Only
 * where applications were registered for no permission at all, nothing was said of one at consent, and none comes of it.
 */
export const grantPermission: LockingMigration = {
  locks: ["grants"],
  async up(db: Kysely<unknown>) {
    await sql`
      alter table grants add column permission text check (permission in ('none', 'read', 'write', 'admin'))
    `.execute(db);
    await sql`
      update grants set permission = 'none' from oauth_applications
      where oauth_applications.id = grants.application_id and revoked_at is null
        and not oauth_applications.scopes && array['read', 'write', 'admin']
    `.execute(db);
  },
};
