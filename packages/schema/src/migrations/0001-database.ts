import { id, runStatements } from "../statements.ts";

/**
 * The clock of SQL. Postgres' time decides, whatever the clocks of the programs' machines say. Only tests replace the
 * function.
 *
 * `statement_timestamp()` moves on within a transaction. The function is STABLE and one expression, so the planner
 * inlines it. An index therefore serves a comparison with it, in generic plans too. Plans are made again when the
 * function is replaced.
 */
const clock = `create function gateway_now() returns timestamptz language sql stable parallel safe
  return statement_timestamp()`;

/**
 * The environment of this database, and a word that only its encryption keys open. A process with other keys does not
 * start.
 */
const deployment = `create table deployment (
  only_row boolean primary key default true check (only_row),
  livemode boolean not null,
  sealed_probe bytea
)`;

/**
 * Following. A follower of an account has a row for a while. A channel is notified only while there is one, because
 * transactions that notify commit one after another. Rows of followed lists get their numbers when they are followed.
 */
const following = [
  `create unlogged table followers (
    channel text not null,
    account_id ${id} not null,
    until timestamptz not null,
    primary key (channel, account_id)
  )`,
  `create index followers_until on followers (until)`,
  `create function wake_followers() returns trigger language plpgsql as $$
  begin
    perform pg_notify(tg_argv[0], account_id)
    from (select distinct account_id from inserted) as told
    where exists (select from followers where channel = tg_argv[0] and followers.account_id = told.account_id);
    return null;
  end $$`,
  `create table follow_numbers (
    account_id ${id} not null,
    list text not null,
    epoch integer not null,
    since_epoch integer not null,
    number bigint not null,
    server text not null,
    primary key (account_id, list)
  )`,
];

/**
 * The form in which e-mail addresses are compared. `lower(email)` differs between locales. A trigger of each table
 * keeps it.
 */
const emailKeys = [
  `create function fold_email(address text) returns text language sql immutable strict parallel safe
    return translate(address collate "C", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`,
  `create function keep_email_key() returns trigger language plpgsql as $$
  begin
    new.email_key := fold_email(new.email);
    return new;
  end $$`,
];

/** Clock, deployment, following and e-mail keys, which all services share. */
export const database = runStatements([clock, deployment, ...following, ...emailKeys]);
