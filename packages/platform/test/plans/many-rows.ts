import { sql, type Kysely, type RawBuilder } from "kysely";
import { maxPeopleOfAccount } from "../../src/accounts/index.ts";
import type { Schema } from "../../src/compose/schema.ts";
import { durationBuckets } from "../../src/request-log/index.ts";
import { moneyRows, own } from "./money-rows.ts";
import { partRows } from "./parts.ts";
import {
  account,
  createdBy,
  firstRows,
  happened,
  id,
  isLive,
  isRare,
  isStopped,
  month,
  webhook,
} from "./row-values.ts";

/** One row for each of the last minutes or hours. */
function usageRows(interval: string): Record<string, string> {
  return {
    account_id: account,
    at: `date_trunc('${interval}', now()) - (n - ${firstRows + 1}) * interval '1 ${interval}'`,
    operation_id: "'listWallets'",
    status: "200",
    code: "''",
    caller_id: id("key", "1"),
    count: "1",
    last_request_id: id("req"),
    ...Object.fromEntries(durationBuckets.map((_, place) => [`took_${place}`, "1"])),
  };
}

/** Columns by table, with their values in row n of `last`. */
const tables: typeof moneyRows = {
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
  ...moneyRows,
  ...partRows,
  // The three oldest of the huge account failed.
  request_logs: {
    id: id("req"),
    account_id: account,
    method: "'GET'",
    path: "'/api/v1/wallets'",
    operation_id: "'listWallets'",
    status: `case when ${isRare} then 404 else 200 end`,
    code: `case when ${isRare} then 'NOT_FOUND' end`,
    duration_us: "n",
    caller_kind: "'apiKey'",
    caller_id: id("key", "1"),
    source: "'api'",
    is_replayed: "false",
    is_answered: "true",
    repeats: "0",
    follow_epoch: "1",
    follow_number: "n",
  },
  usage_minutes: usageRows("minute"),
  usage_hours: usageRows("hour"),
  // The three oldest of the huge account have a rare type, and a key that did little.
  audit_events: own("aud", {
    type: `case when ${isRare} then 'account.updated' else 'wallet.created' end`,
    actor_type: "'api_key'",
    actor_id: `case when ${isRare} then ${id("key", "2")} else ${id("key", "1")} end`,
    resource_id: id("wal"),
    changes: "'[]'",
    created_at: "now()",
    sequence: "n",
    hash: "'x'",
  }),
  api_keys: own("key", {
    name: "'K'",
    permission: "'admin'",
    secret_hash: "sha256(n::text::bytea)",
    hint: "'gk_test_...'",
    created_at: "now()",
    created_by: createdBy,
  }),
  // Every second one is alone in its account. The others belong to the huge account, and nearly all of them are
  // deleted.
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
  // The huge account has the maximum number. The small user is in five accounts.
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
  // Every second one is alone with its user. The others belong to the huge user, and are revoked.
  grants: {
    id: `'grant-' || n`,
    user_id: `case when n <= 5 then ${id("usr", "2")} when n % 2 = 1 then ${id("usr")} else ${id("usr", "1")} end`,
    account_id: id("acc"),
    application_id: `case when n <= 5 then ${id("app")} else ${id("app", "7")} end`,
    permission: "'read'",
    created_at: "now()",
    revoked_at: "case when n <= 5 or n % 2 = 1 then null else now() end",
  },
  // Nearly all sessions of the huge user were ended, and the others forgotten.
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
    account_id: id("acc"),
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
  webhooks: own("whk", {
    url: "'https://example.com'",
    events: "array['wallet.created']",
    status: `case when ${isStopped} then 'disabled' else 'enabled' end`,
    secret: "'x'",
    created_at: "now()",
    created_by: createdBy,
    deleted_at: `case when ${isLive} then null else now() end`,
  }),
  // The three oldest of the huge account have a rare type. A third has no request, and every tenth is about the same
  // wallet.
  events: own("evt", {
    follow_epoch: "1",
    follow_number: "n",
    type: `case when ${isRare} then 'payment.settled' else 'wallet.created' end`,
    body: "'{}'",
    request_id: `case when ${isRare} then ${id("req", "0")} when n % 3 > 0 then ${id("req")} end`,
    created_at: happened,
    object_id: `case when n % 10 = 0 then ${id("wal", "0")} else ${id("wal")} end`,
  }),
  // The oldest of the huge account: five to one webhook, and three failed ones to another. The rest went to that one.
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
  webhook_hours: {
    account_id: account,
    webhook_id: id("whk"),
    hour: "date_trunc('hour', gateway_now(), 'UTC')",
    attempts: "1",
    delivered: "1",
    durations: "array_fill(0, array[36])",
    failed_since: "0",
  },
  delivery_attempts: {
    delivery_id: id("dlv", "2 * n + 1"),
    number: "1",
    started_at: "now()",
    duration_ms: "1",
    outcome: "'http_error'",
    is_manual: "false",
  },
  // The newer half is held. Before all of them come five that are held and five that are pending, at other webhooks.
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

/** Inserts rows `from` to `to` of each table, out of `last`. Without triggers and foreign keys it takes seconds. */
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
