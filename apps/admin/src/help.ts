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

While an account is suspended, all its credentials are refused within a second, and its events are held; resumed, everything is as before. The
reason is for operators alone. To revoke its credentials ends its API keys, what its people allowed applications, and the sessions of its
people, for ever: make a new key for it, and its people sign in again.

A user who has lost every second factor cannot set up another one. When you know that it is them, users remove-second-factors
removes the authenticator app with its recovery codes and all passkeys, and ends their sessions; the password stays.

A signing key that is rolled signs for 15 minutes more, until all gateways know its successor. --immediately is for one
that leaked: it is refused at once, and applications have to refresh their tokens.

A rolled price signing key no longer signs, but stays published: its signatures stay valid. List shows the newest 100.

audit verify names the first audit event that is not as it was recorded. --head is a head of its chain out of the gateways'
log, and tells whether the chain was rewritten. audit forget deletes names and addresses. What concerns no account is
in the account ${deploymentAccountId}.

ledger verify names the first ledger transaction that differs from the sealed one. ledger adjust credits or debits what a
wallet has available, so many minor units, against the equity of its account. The account reads the reason in its books and its audit log,
and cannot reverse it: what was wrong is adjusted in the other direction.

portfolio rebuild drops what is made of an account's ledger, its positions, and has the worker make it again; then it calculates each
valuation again, changes none, and logs and counts (worker_alarms_total) those that come to something else.

Facts are reports of external systems. Listed are the oldest 100 that wait for something, say something else than what is known, or came twice
and differed. To retry one is to apply it now, with what waits for it; one that is dismissed is never tried again.

Settings, from the environment: DATABASE_URL, DATA_DIR, LIVEMODE, ENCRYPTION_KEYS.

Example:

  npm run --silent admin -- accounts create --email a@example.com --tier growth`;
