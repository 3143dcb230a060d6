import {
  type Account,
  type Accounts,
  type ApiKey,
  type ApiKeys,
  type Audit,
  type ChainVerdict,
  type ExportedAuditEvent,
  type Inbox,
  type Ledger,
  type LedgerTransaction,
  type OpenFact,
  type Platform,
  type PriceSigningKey,
  type PriceSigningKeys,
  deploymentAccountId,
  requestsPerMinuteOf,
  resumeAccount,
  revokeCredentials,
  type SigningKey,
  signingKeyAt,
  type SigningKeys,
  suspendAccount,
  type Verification,
} from "@gateway/platform";
import type { Clock } from "@gateway/kernel";
import {
  parseExpiry,
  parseHead,
  requireAmount,
  requireDescription,
  requireDirection,
  requireEmail,
  requirePermission,
  requireText,
  requireTier,
  UsageError,
  type Arguments,
} from "./arguments.ts";
import type { Result, Row } from "./render-result.ts";

export const help = `Usage: npm run --silent admin -- COMMAND [OPTIONS] [--json]

What operators do, on the database itself:

  accounts create --email ADDRESS --tier explorer|starter|growth|enterprise [--limit N]
  accounts list
  accounts change-tier --account ID --tier TIER [--limit N]
  accounts suspend --account ID [--reason TEXT]
  accounts resume --account ID
  accounts revoke-credentials --account ID
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
the embedded one in DATA_DIR, beside a running gateway too. A new key's secret is printed once and stored nowhere.

While an account is suspended, all its credentials are refused within a second, and its events are held; resumed, all is as before. The
reason is for operators alone. To revoke its credentials ends its API keys, what its people allowed applications, and the sessions of its
people, for ever: make a new key for it, and its people sign in again.

A signing key that is rolled signs for 15 minutes more, until all gateways know its successor. --immediately is for one
that leaked: it is worth nothing at once, and applications have to refresh their tokens.

A price signing key that is rolled signs no more, and stays published: what it signed stays good. List shows the newest 100.

audit verify names the first audit event that is not as it was recorded. --head is a head of its chain out of the gateways'
log, and tells whether the chain was written anew. audit forget deletes names and addresses. What concerns no account is
in the account ${deploymentAccountId}.

ledger verify names the first ledger transaction that is not as it was sealed. ledger adjust credits or debits what a
wallet has available, so many minor units, against the equity of its account. The account reads the reason in its books and its audit log,
and cannot reverse it: what was wrong is adjusted in the other direction.

portfolio rebuild drops what is made of an account's ledger, its positions, and has the worker make it again; then it calculates each
valuation again, changes none, and logs and counts (worker_alarms_total) those that come to something else.

Facts are what the outside told. Listed are the oldest 100 that wait for something, say something else than what is known, or came twice
and differed. To retry one is to apply it now, with what waits for it; one that is dismissed is never tried again.

Settings, from the environment: DATABASE_URL, DATA_DIR, LIVEMODE, ENCRYPTION_KEYS.

Example:

  npm run --silent admin -- accounts create --email a@example.com --tier growth`;

export type AdminDeps = {
  accounts: Accounts;
  apiKeys: ApiKeys;
  signingKeys: Pick<SigningKeys, "list">;
  /** Null without encryption keys: a signing key is stored encrypted. */
  rollSigningKey: SigningKeys["roll"] | null;
  priceSigningKeys: Pick<PriceSigningKeys, "list">;
  /** As `rollSigningKey`. */
  rollPriceSigningKey: PriceSigningKeys["roll"] | null;
  audit: Audit;
  ledger: Ledger;
  /** Has it written down that an operator reads there. */
  recordRead(read: { accountId: string; command: string }): Promise<void>;
  clock: Clock;
  facts: Pick<Inbox, "listOpen">;
  transaction: Platform["transaction"];
};

/** What a command does once there is a database: gives what to print. Throws a UsageError for what the operator can mend. */
export type Work = (deps: AdminDeps) => Promise<Result>;

/** Reads the whole command before anything is opened: a mistake in it must not start a database. Throws a UsageError. */
export function prepareCommand(args: Arguments): Work {
  const prepare = Object.hasOwn(commands, args.command) ? commands[args.command] : undefined;
  if (!prepare) {
    throw new UsageError(`There is no command ${JSON.stringify(args.command)}.`);
  }
  return prepare(args);
}

const dayMs = 24 * 60 * 60 * 1000;

const commands: Readonly<Record<string, (args: Arguments) => Work>> = {
  "accounts create": (args) => {
    const email = requireEmail(args);
    const tier = requireTier(args);
    return async ({ accounts }) => {
      const account = await accounts.create({ email, ...tier });
      if (!account) {
        throw new UsageError(`There is an account with the e-mail address ${email} already.`);
      }
      return accountRow(account);
    };
  },
  "accounts list":
    ({ command }) =>
    async ({ accounts, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await accounts.listAll()).map(accountRow);
    },
  "accounts change-tier": (args) => {
    const id = requireText(args, "account");
    const tier = requireTier(args);
    return async ({ accounts }) => {
      const account = await accounts.changeTier({ id, ...tier });
      if (!account) {
        throw noSuchAccount(id);
      }
      return accountRow(account);
    };
  },
  "accounts suspend": (args) => {
    const id = requireText(args, "account");
    const reason = args.values.reason === undefined ? null : requireText(args, "reason");
    return async ({ transaction }) => {
      const account = await transaction((services) => suspendAccount(services, { id, reason }));
      if (!account) {
        throw noSuchAccount(id);
      }
      return accountRow(account);
    };
  },
  "accounts resume": (args) => {
    const id = requireText(args, "account");
    return async ({ transaction }) => {
      const account = await transaction((services) => resumeAccount(services, id));
      if (!account) {
        throw noSuchAccount(id);
      }
      return accountRow(account);
    };
  },
  "accounts revoke-credentials": (args) => {
    const id = requireText(args, "account");
    return async ({ accounts, transaction }) => {
      if (!(await accounts.get(id))) {
        throw noSuchAccount(id);
      }
      return { id, ...(await transaction((services) => revokeCredentials(services, { accountId: id }))) };
    };
  },
  "keys create": (args) => {
    const accountId = requireText(args, "account");
    const permission = requirePermission(args);
    const days = parseExpiry(args);
    const name = args.values.name === undefined ? `Made by an operator (${permission})` : requireText(args, "name");
    return async ({ accounts, apiKeys, clock }) => {
      if (!(await accounts.get(accountId))) {
        throw noSuchAccount(accountId);
      }
      const expiresAt = days === null ? null : new Date(clock.now() + days * dayMs);
      const key = await apiKeys.create({ accountId, permission, name, expiresAt });
      return { ...keyRow(key), secret: key.secret };
    };
  },
  "keys list": (args) => {
    const accountId = requireText(args, "account");
    return async ({ apiKeys, recordRead }) => {
      await recordRead({ accountId, command: args.command });
      return (await apiKeys.list({ accountId, limit: 100 })).items.map(keyRow);
    };
  },
  "keys revoke": (args) => {
    const id = requireText(args, "key");
    const accountId = requireText(args, "account");
    return async ({ apiKeys }) => {
      // The last one too: an operator can make another.
      const key = await apiKeys.revoke({ id, accountId, evenLast: true });
      if (!key) {
        throw new UsageError(`There is no API key ${id} in this account.`);
      }
      return keyRow(key);
    };
  },
  "signing-keys list":
    ({ command }) =>
    async ({ signingKeys, clock, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      const keys = await signingKeys.list();
      const signing = signingKeyAt(keys, clock.now());
      return keys.map((key) => ({ ...signingKeyRow(key), signs: key.id === signing?.id }));
    },
  "signing-keys roll":
    ({ values }) =>
    async ({ rollSigningKey }) => {
      if (!rollSigningKey) {
        throw new UsageError("ENCRYPTION_KEYS is needed: the one of the gateway and the identity provider.");
      }
      return signingKeyRow(await rollSigningKey({ immediately: values.immediately === true }));
    },
  "price-signing-keys list":
    ({ command }) =>
    async ({ priceSigningKeys, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await priceSigningKeys.list({ limit: 100 })).items.map(priceSigningKeyRow);
    },
  "price-signing-keys roll":
    () =>
    async ({ rollPriceSigningKey }) => {
      if (!rollPriceSigningKey) {
        throw new UsageError("ENCRYPTION_KEYS is needed: the one of the gateway.");
      }
      return priceSigningKeyRow(await rollPriceSigningKey());
    },
  "audit export": (args) => {
    const accountId = requireText(args, "account");
    return async ({ audit, recordRead }) => {
      await recordRead({ accountId, command: args.command });
      return auditRows(audit.exportEvents({ accountId }));
    };
  },
  "audit verify": (args) => {
    const only = args.values.account === undefined ? null : requireText(args, "account");
    const logged = parseHead(args);
    if (logged && only === null) {
      throw new UsageError("--head goes with --account: it is the head of one chain.");
    }
    return async ({ audit, recordRead }) => {
      await recordRead({ accountId: only ?? deploymentAccountId, command: args.command });
      const rows: Row[] = [];
      for (const accountId of only === null ? await audit.chains.listAccounts() : [only]) {
        rows.push(verdictRow(await audit.verify({ accountId, logged })));
      }
      return rows;
    };
  },
  "audit forget": (args) => {
    const accountId = requireText(args, "account");
    const personId = args.values.person === undefined ? undefined : requireText(args, "person");
    return async ({ audit }) => ({ events: await audit.forgetPersonal({ accountId, personId }) });
  },
  "ledger verify": (args) => {
    const only = args.values.account === undefined ? null : requireText(args, "account");
    return async ({ accounts, ledger, recordRead }) => {
      if (only !== null && !(await accounts.get(only))) {
        throw noSuchAccount(only);
      }
      await recordRead({ accountId: only ?? deploymentAccountId, command: args.command });
      const rows: Row[] = [];
      for (const accountId of only === null ? await ledger.seals.listAccounts() : [only]) {
        rows.push(verifiedRow(accountId, await ledger.seals.verify(accountId)));
      }
      return rows;
    };
  },
  "ledger adjust": (args) => {
    const walletId = requireText(args, "wallet");
    const amountMinor = requireAmount(args);
    const direction = requireDirection(args);
    const reason = requireDescription(args, "reason");
    return async ({ ledger }) => {
      const booked = await ledger.transactions.adjust({ walletId, amountMinor, direction, reason });
      if (!booked) {
        throw new UsageError(`There is no wallet ${walletId}.`);
      }
      return adjustmentRow(booked);
    };
  },
  "portfolio rebuild": (args) => {
    const accountId = requireText(args, "account");
    return async ({ accounts, transaction }) => {
      if (!(await accounts.get(accountId))) {
        throw noSuchAccount(accountId);
      }
      return { account: accountId, dropped: await transaction(({ portfolio }) => portfolio.upkeep.drop(accountId)) };
    };
  },
  "facts list":
    ({ command }) =>
    async ({ facts, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await facts.listOpen(100)).map(factRow);
    },
  "facts retry": (args) => {
    const id = requireText(args, "fact");
    return async ({ transaction }) => {
      const status = await transaction(({ work }) => work.inbox.retry(id));
      if (status === null) {
        throw noSuchFact(id);
      }
      return { id, status };
    };
  },
  "facts dismiss": (args) => {
    const id = requireText(args, "fact");
    return async ({ transaction }) => {
      const fact = await transaction(({ work }) => work.inbox.dismiss(id));
      if (fact === null) {
        throw noSuchFact(id);
      }
      return factRow(fact);
    };
  },
};

/** Rejects with the first event that is wrong: so the command fails. */
function verdictRow({ head, unsealed, wrong }: ChainVerdict): Row {
  if (wrong) {
    const which = wrong.id === null ? `at ${wrong.sequence}` : `at ${wrong.sequence}, ${wrong.id}`;
    throw new Error(`The audit log of ${head.accountId} is not as it was recorded, ${which}: ${wrong.reason}.`);
  }
  return { account: head.accountId, sequence: head.sequence, hash: head.hash.toString("hex"), unsealed };
}

async function* auditRows(events: AsyncIterable<ExportedAuditEvent>): AsyncGenerator<Row> {
  for await (const event of events) {
    yield auditRow(event);
  }
}

/** As `verdictRow`, of the first ledger transaction. */
function verifiedRow(account: string, { sealed, hash, unsealed, fault }: Verification): Row {
  if (fault !== null) {
    throw new Error(`The books of ${account} are not as they were sealed: ${fault}.`);
  }
  return { account, sequence: sealed, hash: hash.toString("hex"), unsealed };
}

/** The wallet's side is its first entry. */
function adjustmentRow({ id, entries: [entry], description, createdAt }: LedgerTransaction): Row {
  return {
    id,
    direction: entry?.direction ?? null,
    amount: entry?.amountMinor ?? null,
    availableAfter: entry?.balanceAfterMinor ?? null,
    reason: description,
    createdAt: createdAt.toISOString(),
  };
}

function auditRow({ actor, changes, hash, createdAt, ...event }: ExportedAuditEvent): Row {
  return {
    ...event,
    actorType: actor.type,
    actorId: actor.id,
    applicationId: actor.applicationId,
    changes: JSON.stringify(changes),
    createdAt: createdAt.toISOString(),
    hash: hash?.toString("hex") ?? null,
  };
}

function noSuchFact(id: string): UsageError {
  return new UsageError(`No fact ${id} waits for anybody; npm run --silent admin -- facts list shows those that do.`);
}

function factRow(fact: OpenFact): Row {
  return {
    id: fact.id,
    accountId: fact.accountId,
    port: fact.port,
    factId: fact.factId,
    subjectId: fact.subjectId,
    status: fact.status,
    receivedAt: fact.receivedAt.toISOString(),
    fact: JSON.stringify(fact.content),
    disputed: fact.disputed && JSON.stringify(fact.disputed),
  };
}

function noSuchAccount(id: string): UsageError {
  return new UsageError(`There is no account ${id}; npm run --silent admin -- accounts list shows them.`);
}

function accountRow(account: Account): Row {
  return {
    id: account.id,
    email: account.email,
    tier: account.tier,
    requestsPerMinute: requestsPerMinuteOf(account),
    createdAt: account.createdAt.toISOString(),
    suspendedAt: account.suspendedAt?.toISOString() ?? null,
    suspensionReason: account.suspensionReason,
  };
}

function keyRow(key: ApiKey): Row {
  return {
    id: key.id,
    name: key.name,
    permission: key.permission,
    hint: key.hint,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}

function signingKeyRow(key: SigningKey): Row {
  return {
    id: key.id,
    algorithm: key.algorithm,
    createdAt: key.createdAt.toISOString(),
    signsFrom: key.signsFrom.toISOString(),
    retiresAt: key.retiresAt?.toISOString() ?? null,
  };
}

function priceSigningKeyRow(key: PriceSigningKey): Row {
  return {
    id: key.id,
    algorithm: key.algorithm,
    createdAt: key.createdAt.toISOString(),
    retiredAt: key.retiredAt?.toISOString() ?? null,
  };
}
