import { id, runStatements } from "../statements.ts";

/**
 * Sessions of people at the console, and the tokens that it keeps for them.
 *
 * A session ends with its grant, by any cause. While the console renews a session's tokens, it has the row locked and
 * waits for the identity provider, which may itself end the grant. The trigger skips such a row, and the console
 * removes it when the response arrives.
 */
export const consoleSessions = runStatements([
  `create table console_sessions (
    secret_hash bytea primary key check (length(secret_hash) = 32),
    user_id ${id} not null,
    account_id ${id} not null,
    grant_id ${id} not null,
    tokens bytea not null,
    token_expires_at timestamptz not null,
    signed_in_at timestamptz not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index console_sessions_grant_id on console_sessions (grant_id)`,
  `create index console_sessions_expires_at on console_sessions (expires_at)`,
  `create function remove_console_sessions() returns trigger language plpgsql as $$
  begin
    delete from console_sessions where secret_hash in (
      select secret_hash from console_sessions where grant_id = old.id for update skip locked
    );
    return null;
  end $$`,
  `create trigger grants_revoked_console after update of revoked_at on grants for each row
    when (new.revoked_at is not null and new.application_id = 'console') execute function remove_console_sessions()`,
  `create trigger grants_removed_console after delete on grants for each row
    when (old.application_id = 'console') execute function remove_console_sessions()`,
]);
