import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * What tells people from programs: an application of ours that belongs to no account, grants that end with the session that they were
 * given in, and since when somebody is owner.
 *
 * Triggers see to both, for sessions and owners of the release before count too. A session is locked while a grant is tied to it, so a
 * grant is either revoked when the session ends, or finds it ended.
 */
const statements = [
  `alter table oauth_applications
    alter column account_id drop not null,
    add constraint oauth_applications_account_check check ((account_id is null) = (id = 'console'))`,

  `alter table grants add column session_id text collate "C"`,
  `create function revoke_grant_of_ended_session() returns trigger language plpgsql as $$
  begin
    perform from sessions where id = new.session_id and ended_at is null for share;
    if not found then
      new.revoked_at := coalesce(new.revoked_at, gateway_now());
    end if;
    return new;
  end $$`,
  `create trigger grants_of_ended_sessions before insert or update of session_id on grants for each row
    when (new.session_id is not null) execute function revoke_grant_of_ended_session()`,
  // By user, for that has an index.
  `create function revoke_grants_of_session() returns trigger language plpgsql as $$
  begin
    update grants set revoked_at = gateway_now()
      where user_id = old.user_id and session_id = old.id and revoked_at is null;
    return null;
  end $$`,
  `create trigger sessions_ended after update of ended_at on sessions for each row
    when (new.ended_at is not null) execute function revoke_grants_of_session()`,
  `create trigger sessions_removed after delete on sessions for each row execute function revoke_grants_of_session()`,

  // Owners of before have none: they are owners since they joined, as far as anybody knows.
  `alter table people add column owner_since timestamptz`,
  `create function keep_owner_since() returns trigger language plpgsql as $$
  begin
    new.owner_since := case when new.role = 'owner' and new.user_id is not null then coalesce(new.owner_since, gateway_now()) end;
    return new;
  end $$`,
  `create trigger people_owner_since before insert or update of role, user_id, owner_since on people for each row
    execute function keep_owner_since()`,
];

export const peopleOnly: LockingMigration = {
  locks: ["oauth_applications", "grants", "sessions", "people"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
