import { addPartition, listPartitions, partitionName } from "@gateway/database";
import { startOfIds } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { maxPeopleOfAccount, type Schema } from "../../src/index.ts";

/** All of one millisecond: what is dated and older than 30 days is not seen. */
const time = startOfIds("", Date.now()).slice(1);

/** `wal_01kaxxxxxx0000000000000042` */
export function idAt(prefix: string, position: number): string {
  return `${prefix}_${time}${String(position).padStart(16, "0")}`;
}

/** What nearly all rows belong to, what has the five oldest, and what has none. */
export const owners = {
  huge: { accountId: idAt("acc", 1), userId: idAt("usr", 1) },
  small: { accountId: idAt("acc", 2), userId: idAt("usr", 2) },
  none: { accountId: idAt("acc", 3), userId: idAt("usr", 3) },
};

/** Rows beyond these are of the huge account; with these alone, every account seems to have one. */
export const firstRows = 50;
/** Of what an account deletes, the newest are still there. */
export const liveRows = 40;

const id = (prefix: string, position = "n"): string => `'${prefix}_${time}' || lpad((${position})::text, 16, '0')`;
const account = `case when n <= 5 then ${id("acc", "2")} when n <= ${firstRows} then ${id("acc")} else ${id("acc", "1")} end`;
const isLive = `(n <= ${firstRows} or n > last - ${liveRows})`;
/** Of the huge account, one key made nearly all, and a person the three oldest. */
const createdBy = `jsonb_build_object('id', case when n between ${firstRows + 1} and ${firstRows + 3} then ${id("per", "1")} else ${id("key", "1")} end)`;
const month = "now() + interval '30 days'";

/** Live webhooks of the huge account, by how many rows before the last they are. */
const webhookPlaces = { idle: 0, busy: 1, quiet: 2, backlog: 3, abandoned: 4, waiting: 5, stopped: 6 };
export type WebhookName = keyof typeof webhookPlaces;
const webhook = (name: WebhookName): string => id("whk", `last - ${webhookPlaces[name]}`);
export function webhookAt(name: WebhookName, last: number): string {
  return idAt("whk", last - webhookPlaces[name]);
}
const isStopped = `n in (last - ${webhookPlaces.abandoned}, last - ${webhookPlaces.stopped})`;

/** Ledger accounts of the huge account, by how many rows before the last they are. */
const ledgerAccountPlaces = { clearing: 0, quiet: 1, own: 2, otherOwn: 3 };
export type LedgerAccountName = keyof typeof ledgerAccountPlaces;
const ledgerAccount = (name: LedgerAccountName): string => id("lac", `last - ${ledgerAccountPlaces[name]}`);
export function ledgerAccountAt(name: LedgerAccountName, last: number): string {
  return idAt("lac", last - ledgerAccountPlaces[name]);
}
const isClearing = `n = last - ${ledgerAccountPlaces.clearing}`;
const isOwn = `(n % 500 = 0 and not ${isClearing} or n in (last - ${ledgerAccountPlaces.own}, last - ${ledgerAccountPlaces.otherOwn}))`;

/** The newest ledger transactions of the huge account. */
export const unsealedRows = 5;

const endOfBooksMs = Date.now() - 120_000;
/** One a second. */
export function bookedAt(position: number, last: number): Date {
  return new Date(endOfBooksMs - (last - position) * 1_000);
}
const booked = `to_timestamp(${endOfBooksMs / 1_000}) - (last - n) * interval '1 second'`;
const bookedOn = `case when n <= ${firstRows} then ${id("lac")} when n <= ${firstRows + 5} then ${ledgerAccount("quiet")}
  when n <= ${firstRows + 8} then ledger_account_id(${id("wal", "last")}, 'available') else ${ledgerAccount("clearing")} end`;

/** By table: the columns, and what they are in row n of `last`. */
const tables: Record<string, Record<string, string>> = {
  accounts: {
    id: id("acc"),
    email: "n || '@example.com'",
    email_key: "n || '@example.com'",
    tier: "'growth'",
    created_at: "now()",
  },
  users: {
    id: id("usr"),
    email: "n || '@example.com'",
    email_key: "n || '@example.com'",
    name: "'U'",
    created_at: "now()",
  },
  wallets: {
    id: id("wal"),
    account_id: account,
    name: "'W'",
    currency: "'EUR'",
    available: "0",
    pending: "0",
    metadata: "'{}'",
    created_at: "now()",
  },
  ledger_accounts: {
    account_id: account,
    id: id("lac"),
    name: "'L'",
    currency: "'EUR'",
    kind: `case when ${isClearing} then 'clearing' when ${isOwn} then 'own' else 'wallet' end`,
    purpose: `case when ${isClearing} then 'equity' when ${isOwn} then null else 'available' end`,
    wallet_id: `case when ${isClearing} or ${isOwn} then null else ${id("wal")} end`,
    may_be_negative: "true",
    balance: `case when ${isOwn} then 0 end`,
    external_id: `case when ${isOwn} then n::text end`,
    created_at: "now()",
  },
  // Four of each cause; the huge account has three of a rare kind, the oldest.
  ledger_transactions: {
    account_id: account,
    id: id("ltx"),
    kind: `case when n between ${firstRows + 1} and ${firstRows + 3} then 'return' else 'payment' end`,
    cause_type: "'payment'",
    cause_id: id("pay", "n / 4"),
    external_id: "n::text",
    posting_no: "n",
    sequence: `case when n <= last - ${unsealedRows} then n end`,
    hash: `case when n <= last - ${unsealedRows} then 'x'::bytea end`,
    created_at: booked,
  },
  // Old ones of the huge account: five on one ledger account, three on a wallet; the rest are on its clearing account.
  ledger_entries: {
    account_id: account,
    id: `${id("ltx")} || '_00'`,
    ledger_account_id: bookedOn,
    direction: "'credit'",
    amount: "1",
  },
  ledger_checkpoints: {
    account_id: account,
    id: id("chk"),
    from_sequence: "n",
    to_sequence: "n",
    hash: "'x'",
    previous_hash: "'x'",
    latest_at: booked,
    created_at: booked,
  },
  ledger_checkpoint_sums: {
    account_id: account,
    ledger_account_id: bookedOn,
    to_sequence: "n",
    balance: "n",
  },
  // The huge account has three of a rare type by a key that did little, the oldest.
  audit_events: {
    id: id("aud"),
    account_id: account,
    type: `case when n between ${firstRows + 1} and ${firstRows + 3} then 'account.updated' else 'wallet.created' end`,
    actor_type: "'api_key'",
    actor_id: `case when n between ${firstRows + 1} and ${firstRows + 3} then ${id("key", "2")} else ${id("key", "1")} end`,
    resource_id: id("wal"),
    changes: "'[]'",
    created_at: "now()",
    sequence: "n",
    hash: "'x'",
  },
  counterparties: {
    account_id: account,
    id: id("cpy"),
    currency: "'EUR'",
    name: "'C'",
    account_number: "'N'",
    account_number_last4: "'3000'",
    external_id: "n::text",
    metadata: "'{}'",
    created_at: "now()",
  },
  api_keys: {
    id: id("key"),
    account_id: account,
    name: "'K'",
    permission: "'admin'",
    secret_hash: "sha256(n::text::bytea)",
    hint: "'gk_test_...'",
    created_at: "now()",
    created_by: createdBy,
  },
  // Every second one is alone in its account; of the others, which are of the huge account, nearly all are deleted.
  oauth_applications: {
    id: id("app"),
    account_id: `case when n > ${firstRows} and n % 2 = 1 then ${id("acc")} else ${account} end`,
    name: "'A'",
    redirect_uris: "array['https://app-' || n || '.example/']",
    redirect_origins: "array['https://app-' || n || '.example', 'http://localhost:3000']",
    scopes: "array['read']",
    created_at: "now()",
    created_by: createdBy,
    deleted_at: `case when ${isLive} or n % 2 = 1 then null else now() end`,
  },
  // The huge account has as many as it may have. The small user is in five accounts.
  people: {
    id: id("per"),
    account_id: `case when n > ${firstRows} and n <= last - ${maxPeopleOfAccount} then ${id("acc", "n / 100 + 100")} else ${account} end`,
    user_id: `case when n between 6 and 10 then ${id("usr", "2")} when n = 2 then ${id("usr", "6")} else ${id("usr")} end`,
    email: "n || '@example.com'",
    email_key: "n || '@example.com'",
    role: "'owner'",
    invited_at: "now()",
    joined_at: "now()",
  },
  // Every second one is alone with its user; the others are of the huge user, and revoked.
  grants: {
    id: `'grant-' || n`,
    user_id: `case when n <= 5 then ${id("usr", "2")} when n % 2 = 1 then ${id("usr")} else ${id("usr", "1")} end`,
    account_id: id("acc"),
    application_id: `case when n <= 5 then ${id("app")} else ${id("app", "7")} end`,
    created_at: "now()",
    revoked_at: "case when n <= 5 or n % 2 = 1 then null else now() end",
  },
  // Of the huge user's, nearly all were ended, and the others forgotten.
  sessions: {
    id: id("ses"),
    user_id: `case when n <= 5 then ${id("usr", "2")} when n <= ${firstRows} then ${id("usr")} else ${id("usr", "1")} end`,
    secret_hash: "sha256(n::text::bytea)",
    method: "'password'",
    user_agent: "'test'",
    address: "'127.0.0.1'",
    created_at: "now()",
    authenticated_at: "now()",
    last_seen_at: `case when n <= ${firstRows} then now() else now() - interval '40 days' end`,
    expires_at: month,
    ended_at: `case when n <= ${firstRows} or n % 100 = 1 then null else now() end`,
  },
  passkeys: {
    id: "'passkey-' || n",
    user_id: `case when n <= 5 then ${id("usr", "2")} else ${id("usr")} end`,
    name: "'P'",
    public_key: "'x'",
    counter: "0",
    transports: "'{}'",
    created_at: "now()",
  },
  mail_links: {
    secret_hash: "sha256(n::text::bytea)",
    purpose: "'password_reset'",
    email: "n || '@example.com'",
    email_key: "n || '@example.com'",
    created_at: "now()",
    expires_at: month,
  },
  oidc_records: {
    model: "'RefreshToken'",
    name_hash: "sha256(n::text::bytea)",
    grant_id: "'grant-' || n",
    uid_hash: "sha256(n::text::bytea)",
    payload: "'x'",
    expires_at: month,
  },
  idempotency_records: {
    account_id: account,
    key: "'key-' || n",
    operation_id: "'createWallet'",
    fingerprint: "'x'",
    status: "201",
    body: "'x'",
    created_at: "now()",
  },
  webhooks: {
    id: id("whk"),
    account_id: account,
    url: "'https://example.com'",
    events: "array['wallet.created']",
    status: `case when ${isStopped} then 'disabled' else 'enabled' end`,
    secret: "'x'",
    created_at: "now()",
    created_by: createdBy,
    deleted_at: `case when ${isLive} then null else now() end`,
  },
  // The huge account has three of a rare type, the oldest.
  events: {
    id: id("evt"),
    account_id: account,
    type: `case when n between ${firstRows + 1} and ${firstRows + 3} then 'payment.settled' else 'wallet.created' end`,
    body: "'{}'",
    created_at: "now()",
  },
  // Old ones of the huge account: five to one webhook, three failed among those to another; the rest went to that one.
  deliveries: {
    id: id("dlv", "2 * n"),
    account_id: account,
    webhook_id: `case when n <= ${firstRows} then ${id("whk")} when n <= ${firstRows + 5} then ${webhook("quiet")} else ${webhook("busy")} end`,
    event_id: id("evt"),
    status: `case when n between ${firstRows + 6} and ${firstRows + 8} then 'failed' else 'delivered' end`,
    attempt_count: "1",
    schedule_position: "1",
    created_at: "now()",
    finished_at: "now()",
    started_at: "now()",
    duration_ms: "1",
    outcome: "'delivered'",
    is_manual: "false",
  },
  delivery_attempts: {
    delivery_id: id("dlv", "2 * n + 1"),
    number: "1",
    started_at: "now()",
    duration_ms: "1",
    outcome: "'http_error'",
    is_manual: "false",
  },
  // Half of them held, the newer half; behind all of them five that are held elsewhere, and five that are pending elsewhere.
  pending_deliveries: {
    account_id: account,
    id: id("dlv", "2 * n + 1"),
    webhook_id: `case when n <= ${firstRows} then ${id("whk")} when n <= ${firstRows + 5} then ${webhook("waiting")}
      when n <= ${firstRows + 10} then ${webhook("stopped")} when n <= last / 2 then ${webhook("backlog")}
      else ${webhook("abandoned")} end`,
    event_id: id("evt"),
    attempt_count: "1",
    schedule_position: "1",
    due_at: "now()",
    created_at: "now()",
  },
};

export type TableName = keyof typeof tables;

/** Rows `from` to `to` of each table, out of `last`; without triggers and foreign keys, so that it takes seconds. */
export async function insertRows(
  db: Kysely<Schema>,
  { from, to, last, only = Object.keys(tables) }: { from: number; to: number; last: number; only?: string[] },
): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection);
    for (const name of only) {
      await insertInto(name, { from, to, last }).execute(connection);
    }
    await sql`reset session_replication_role`.execute(connection);
  });
}

function insertInto(name: string, { from, to, last }: { from: number; to: number; last: number }): RawBuilder<unknown> {
  const columns = tables[name] ?? {};
  return sql`
    insert into ${sql.table(name)} (${sql.join(Object.keys(columns).map((column) => sql.ref(column)))})
    select ${sql.raw(Object.values(columns).join(", "))}
    from (select ${sql.lit(last)} as last) lasts, generate_series(${sql.lit(from)}, ${sql.lit(to)}) n
  `;
}

/** 30 days reach into six weeks, 400 days into 16 times four. */
const weeks = 6;
export const auditPartitions = 16;
const dated = [
  { table: "events", prefix: "evt", perRow: 1, spans: weeks },
  { table: "deliveries", prefix: "dlv", perRow: 2, spans: weeks },
  { table: "delivery_attempts", prefix: "dlv", perRow: 2, spans: weeks },
  { table: "audit_events", prefix: "aud", perRow: 1, spans: auditPartitions },
];
const weekMs = 7 * 86_400_000;

/** As many as there ever are, with all rows, and the next one. */
export async function partitionRows(db: Kysely<Schema>, last: number): Promise<void> {
  for (const { table, prefix, perRow, spans } of dated) {
    for (const { name } of await listPartitions(db, table)) {
      await sql`drop table ${sql.id(name)}`.execute(db);
    }
    const ends = [
      ...Array.from({ length: spans }, (_, span) =>
        idAt(prefix, Math.ceil((perRow * last * (span + 1)) / spans) + perRow),
      ),
      startOfIds(prefix, Date.now() + weekMs),
    ];
    for (const [index, to] of ends.entries()) {
      await addPartition(db, { table, name: partitionName(table, index * weekMs), from: ends[index - 1] ?? null, to });
    }
  }
}

/** Statistics change when the test says so. */
export async function stopAutovacuum(db: Kysely<Schema>): Promise<void> {
  await sql`do $$ declare name text; begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %I set (autovacuum_enabled = false)', name);
    end loop;
  end $$`.execute(db);
}

/** What the planner believes. Each is made out of the one before. */
export const statistics: Record<string, (db: Kysely<Schema>) => Promise<unknown>> = {
  "with the statistics of its first rows, one for each account": async () => {},
  "without statistics": (db) =>
    sql`
      select pg_clear_attribute_stats(schemaname, tablename, attname, inherited) from pg_stats where schemaname = 'public'
      union all
      select pg_clear_relation_stats('public', relname) from pg_class
      where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace
    `.execute(db),
  "after ANALYZE": (db) => sql`analyze`.execute(db),
  "with statistics that know one account, one user, one type": async (db) => {
    await sql`do $$ declare place record; begin
      for place in
        select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
          and column_name in ('account_id', 'user_id', 'webhook_id', 'event_id', 'type', 'status', 'kind', 'ledger_account_id', 'cause_id',
            'actor_id', 'resource_id')
      loop
        execute format('alter table %I alter column %I set (n_distinct = 1)', place.table_name, place.column_name);
      end loop;
    end $$`.execute(db);
    await sql`analyze`.execute(db);
  },
};
