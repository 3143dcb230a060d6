import { deploymentAccountId } from "@gateway/platform/audit";

export const help = `Usage: npm run --silent admin -- COMMAND [OPTIONS] [--json]

Commands for operators, on the database itself:

  accounts create --email ADDRESS --tier explorer|starter|growth|enterprise [--limit N]
  accounts list
  accounts change-tier --account ID --tier TIER [--limit N]
  accounts suspend --account ID [--reason TEXT]
  accounts resume --account ID
  accounts revoke-credentials --account ID
  users remove-second-factors --email ADDRESS
  keys create --account ID --permission read|write|admin [--name TEXT] [--expires-in-days N]
  keys list --account ID
  keys revoke --account ID --key ID
  signing-keys list
  signing-keys roll [--immediately]
  price-signing-keys list
  price-signing-keys roll
  audit export --account ID
  audit verify [--account ID [--head SEQUENCE:HASH]]
  audit forget --account ID [--person ID]
  ledger verify [--account ID]
  ledger adjust --wallet ID --amount N --direction credit|debit --reason TEXT
  portfolio rebuild --account ID
  facts list
  facts retry --fact ID
  facts dismiss --fact ID

--limit is an Enterprise account's own requests per minute, 300 or more. Works on the database of DATABASE_URL, or on
the embedded one in DATA_DIR, even while a gateway runs. A new key's secret is printed once and stored nowhere.

While an account is suspended, all its credentials are refused within a second, and its events are held. Resuming it
restores everything. The reason is for operators only. Revoking its credentials permanently ends its API keys, the
grants of its people, and their sessions. Make a new key for it afterwards; its people sign in again.

A user who has lost every second factor cannot set up another one. Verify the user's identity first. Then users
remove-second-factors removes the authenticator app with its recovery codes and all passkeys, and ends their sessions.
The password stays.

A signing key that is rolled signs for 15 minutes more, until all gateways know its successor. Use --immediately for a
key that leaked. The key is refused at once, and applications have to refresh their tokens.

A rolled price signing key no longer signs, but stays published: its signatures stay valid. List shows the newest 100.

The command audit verify names the first audit event that differs from its recorded form. The option --head is a head
of its chain from the gateways' log. With it, audit verify shows whether the chain was rewritten. The command audit
forget deletes names and addresses. Events without an account are in the account ${deploymentAccountId}.

The command ledger verify names the first ledger transaction that differs from the sealed one. The command ledger adjust
credits or debits a wallet's available amount, in minor units, against the equity of its account. The account sees the
reason in its books and its audit log, and cannot reverse it. Correct a mistake by an adjustment in the other direction.

The command portfolio rebuild drops an account's positions, and the worker makes them again from its ledger. Then it
calculates each valuation again and changes none. It logs and counts (worker_alarms_total) those with another result.

Facts are reports of external systems. The list has the oldest 100 that wait, contradict a known fact, or came twice
with different contents. Retrying a fact applies it now, with the facts that wait for it. A dismissed fact is never
tried again.

Settings, from the environment: DATABASE_URL, DATA_DIR, LIVEMODE, ENCRYPTION_KEYS.

Example:

  npm run --silent admin -- accounts create --email a@example.com --tier growth`;
