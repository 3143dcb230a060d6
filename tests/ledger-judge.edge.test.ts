import { eventTypes } from "@gateway/contract";
import { openDatabase } from "@gateway/database";
import type { Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { alterCopy, followChains } from "./storm/ledger/altered-copy.ts";
import { findFaultOf } from "./storm/ledger/actions.ts";
import { createCaller } from "./storm/ledger/call.ts";
import { judgeBooks, judgeIn } from "./storm/ledger/judge-books.ts";
import { createStormAccounts } from "./storm/ledger/ledger-world.ts";
import { createKnown, type StormAccount } from "./storm/ledger/account.ts";
import { leftOpen } from "./storm/ledger/machines.ts";
import { person, secrets } from "./storm/ledger/secrets.ts";
import { openPlatform } from "./storm/world.ts";

describe("the judge of the books", () => {
  let url: string;
  let database: PlatformDatabase;
  let platform: Platform;
  let account: StormAccount;
  const encryptionKey = randomBytes(32);

  beforeAll(async () => {
    ({ url } = await createTestDatabase());
    database = openDatabase<Schema>({ url, maxConnections: 4, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 });
    platform = openPlatform(database, encryptionKey);
    const [created] = await createStormAccounts(platform, 1);
    account = created ?? { id: "", key: "", wallets: [], ledgerAccountIds: [], known: createKnown() };
    await work();
  });
  afterAll(() => database.close());

  /** Creates one of each kind. */
  async function work(): Promise<void> {
    const { ledger, work: timers } = platform;
    const accountId = account.id;
    const [debit = "", credit = ""] = account.ledgerAccountIds;
    const { id } = await ledger.transactions.create({
      ...{ accountId, description: null, externalId: null, metadata: {} },
      entries: [
        { ledgerAccountId: debit, direction: "debit", amountMinor: 7 },
        { ledgerAccountId: credit, direction: "credit", amountMinor: 7 },
      ],
    });
    await ledger.transactions.reverse({ id, accountId });
    const frozen = { id: account.wallets[0]?.id ?? "", accountId };
    await ledger.wallets.freeze(frozen);
    await ledger.wallets.unfreeze(frozen);
    await ledger.wallets.freeze(frozen);
    const closed = await ledger.wallets.create({ accountId, name: "Spare", currency: "EUR", metadata: {} });
    await ledger.wallets.close({ id: closed.id, accountId });
    for (const seconds of [3, 4]) {
      await platform.inAccount(accountId, ({ gateway }) => gateway.sandboxClocks.advance({ accountId, seconds }), {
        isAlone: true,
      });
    }
    await moveMoney();
    await timers.queue.arm({ accountId, kind: "test", subjectId: "later", firesAt: new Date(Date.now() + 60_000) });
    await ledger.seals.sealAll();
  }

  /** Creates payments, identities, deposits and transfers: some that have ended, and one of each that has not. */
  async function moveMoney(): Promise<void> {
    const accountId = account.id;
    const inOne: Platform["transaction"] = (act) => platform.inAccount(accountId, act);
    const walletIn = (currency: string) => account.wallets.find((wallet) => wallet.currency === currency)?.id ?? "";
    const counterparty = { name: "Rail customer", currency: "GBP", accountNumber: `4031${secrets[0]}2718` } as const;
    const { id: counterpartyId } = await platform.orchestra.counterparties.create({ accountId, ...counterparty });
    const pay = () =>
      inOne(({ orchestra }) =>
        orchestra.payments.create({
          ...{ accountId, walletId: walletIn("GBP"), destination: { counterpartyId }, amountMinor: 10 },
          ...{ externalId: null, metadata: {} },
        }),
      );
    const [settled, canceled] = [await pay(), await pay(), await pay()];
    await inOne(({ orchestra }) => orchestra.payments.simulate({ id: settled.id, accountId, outcome: "settled" }));
    await inOne(({ orchestra }) => orchestra.payments.cancel({ id: canceled.id, accountId }));
    const verify = () => inOne(({ identity }) => identity.verifications.create({ accountId, ...person }));
    const [reviewed, refused] = [await verify(), await verify(), await verify()];
    const simulate = (id: string, outcome: "review_required" | "rejected") =>
      inOne(({ identity }) => identity.verifications.simulate({ id, accountId, outcome }));
    await simulate(reviewed.id, "review_required");
    await simulate(refused.id, "rejected");
    await inOne(({ identity }) =>
      identity.verifications.decide({
        ...{ id: reviewed.id, accountId, decision: "verified", reason: "It is them" },
        decidedBy: { kind: "apiKey", id: "key_1" },
      }),
    );
    const into = { accountId, walletId: walletIn("ETH") };
    const see = (amountMinor: number, transactionHash?: string) =>
      inOne(({ custody }) => custody.simulatedDeposits.see({ ...into, amountMinor, transactionHash }));
    const end = (id: string, outcome: "confirmed" | "orphaned") =>
      inOne(({ custody }) => custody.simulatedDeposits.end({ id, accountId, outcome }));
    const { id: depositId, transactionHash } = await see(70);
    await end(depositId, "orphaned");
    await see(70, transactionHash);
    await end(depositId, "confirmed");
    await see(80);
    const send = (currency: string, amount: number) =>
      inOne(({ custody }) =>
        custody.transfers.create({
          ...{ accountId, initiatedBy: { kind: "apiKey", id: "key_1" }, walletId: walletIn(currency), amount },
          destinationAddress: `0x${"1".repeat(40)}`,
        }),
      );
    const sent = await send("ETH", 1_000_000);
    const mined = {
      type: "confirmed",
      transferId: sent.id,
      transactionHash,
      amountMinor: 1_000_000,
      confirmations: 12,
    };
    await inOne(async ({ custody, work: { inbox } }) => {
      await custody.transfers.holdSimulated({ id: sent.id, accountId });
      await inbox.receive({ port: "chain", factId: "mined", accountId, fact: mined });
    });
    for (const decision of ["approved", "rejected", null] as const) {
      const { approvalId } = await send("USDC", 1_000_000_000);
      if (decision !== null) {
        const decided = { id: approvalId ?? "", accountId, personId: null, decision, comment: null };
        await inOne(({ custody }) => custody.approvals.decide(decided));
      }
    }
  }

  /**
   * The faults that the invariants find after statements that bypass all guards of the books. The statements are rolled
   * back afterwards.
   */
  async function findBroken(...statements: string[]): Promise<[number, string][]> {
    const trx = await database.kysely.startTransaction().execute();
    try {
      await sql`set local session_replication_role = replica`.execute(trx);
      for (const statement of statements) {
        await sql.raw(statement).execute(trx);
      }
      const { judgements } = await judgeIn(trx, secrets);
      return judgements.flatMap(({ number, faults }) => faults.map((fault): [number, string] => [number, fault]));
    } finally {
      await trx.rollback().execute();
    }
  }

  test("finds nothing in books that are whole, and the chains of hashes lead to their end", async () => {
    expect(await findBroken()).toEqual([]);
    expect(await followChains(platform)).toEqual([]);
  });

  const firstWallet = "(select id from wallets where available > 0 order by id limit 1)";
  const firstEntry =
    "(select id from ledger_entries where amount = 100000 and direction = 'debit' order by id limit 1)";
  const tampered: [number, string, string[]][] = [
    [1, "an entry that is gone", [`delete from ledger_entries where id = ${firstEntry}`]],
    [1, "an entry of another amount", [`update ledger_entries set amount = amount + 1 where id = ${firstEntry}`]],
    [1, "entries of no ledger transaction", ["delete from ledger_transactions where kind = 'reversal'"]],
    [2, "a balance that nobody moved", [`update wallets set available = available + 1 where id = ${firstWallet}`]],
    [2, "an own account that nobody moved", ["update ledger_accounts set balance = 5 where kind = 'own'"]],
    [
      3,
      "a payment under way that holds nothing",
      [
        `insert into payments (account_id, id, wallet_id, counterparty_id, amount, currency, rail, fee, status, metadata, created_at)
         select account_id, 'pay_1', id, 'cpy_1', 10, currency, 'sepa', 1, 'initiated', '{}', now() from wallets limit 1`,
      ],
    ],
    [
      4,
      "a payment that ended and was not told",
      [
        `insert into payments
           (account_id, id, wallet_id, counterparty_id, amount, currency, rail, fee, status, metadata, created_at, settled_at)
         select account_id, 'pay_1', id, 'cpy_1', 10, currency, 'sepa', 1, 'settled', '{}', now(), now() from wallets limit 1`,
      ],
    ],
    [
      3,
      "held, and nothing is under way",
      [`update wallets set held = 10, available = available - 10 where id = ${firstWallet}`],
    ],
    [4, "a wallet that left its end", ["update wallets set status = 'active' where status = 'closed'"]],
    [4, "a wallet frozen twice", ["update audit_events set type = 'wallet.frozen' where type = 'wallet.unfrozen'"]],
    [4, "a reversal of what does not know it", ["update ledger_transactions set reversed_by = null"]],
    [
      5,
      "an event that is gone",
      ["delete from events where id = (select max(id) from events where type = 'wallet.balance_changed')"],
    ],
    [
      5,
      "an event told twice",
      [
        `insert into events (id, account_id, type, body, created_at)
         select id || 'x', account_id, type, body, created_at from events where type = 'wallet.balance_changed' limit 1`,
      ],
    ],
    [
      5,
      "an event that begins elsewhere",
      [
        `update events set body = jsonb_set(body::jsonb, '{data,object,balanceBefore,available}', '1')::text
         where type = 'wallet.balance_changed'`,
      ],
    ],
    [5, "a wallet that was never told", ["delete from events where type = 'wallet.created'"]],
    [
      6,
      "a fact taken twice",
      [
        "alter table inbox_facts drop constraint inbox_facts_account_id_port_fact_id_key",
        `insert into inbox_facts (account_id, id, port, fact_id, subject_id, fact, status, received_at)
         select id, 'fct_' || n, 'rail', 'told', 'pay_1', '{}', 'applied', now() from accounts cross join generate_series(1, 2) n`,
      ],
    ],
    [
      6,
      "more charged than held",
      [
        "update ledger_transactions set cause_type = 'payment', cause_id = 'pay_1' where kind = 'opening'",
        `update ledger_entries set direction = 'debit', ledger_account_id = ledger_account_id(${firstWallet}, 'held')
         where id = ${firstEntry}`,
      ],
    ],
    [8, "an account number in the clear", [`update accounts set name = '4031${secrets[0]}2718'`]],
    [
      8,
      "an account number among bytes",
      [`update idempotency_records set body = 'x'`, `update webhooks set secret = 'x'`].concat(
        `insert into idempotency_records (account_id, key, operation_id, fingerprint, status, body, created_at)
         select id, 'k', 'o', '', 200, convert_to('4031${secrets[0]}2718', 'UTF8'), now() from accounts`,
      ),
    ],
    [3, "a transfer that holds more", ["update transfers set amount = amount + 1 where status = 'initiated'"]],
    [3, "a deposit that is more pending", ["update deposits set amount = amount + 1 where status = 'detected'"]],
    [
      4,
      "a transfer that left its end",
      ["update transfers set status = 'broadcast', completed_at = null where status = 'completed'"],
    ],
    [
      4,
      "a transfer that ended twice",
      ["update ledger_transactions set kind = 'transfer' where kind = 'release' and cause_type = 'transfer'"],
    ],
    [
      4,
      "a deposit that left its end",
      ["update deposits set status = 'detected', confirmed_at = null where status = 'confirmed'"],
    ],
    [
      4,
      "an approval decided twice",
      [
        `insert into audit_events (id, account_id, type, resource_id, actor_type, changes, created_at)
         select id || 'x', account_id, type, resource_id, actor_type, changes, created_at from audit_events
         where type in ('approval.approved', 'approval.rejected')`,
      ],
    ],
    [
      4,
      "an approval that its transfer does not go by",
      ["update approvals set status = 'canceled', decided_at = now() where status = 'requested'"],
    ],
    [
      4,
      "a payment settled and failed",
      ["update ledger_transactions set kind = 'payment' where kind = 'release' and cause_type = 'payment'"],
    ],
    [
      4,
      "an identity that left its end",
      [
        `update kyc_verifications set status = 'review_required', decided_at = null, valid_until = null
         where status = 'verified'`,
      ],
    ],
    [9, "a clock that nobody advanced", ["update sandbox_clocks set offset_ms = offset_ms + 1"]],
    [
      9,
      "an advance told twice",
      [
        `insert into audit_events (id, account_id, type, actor_type, changes, created_at)
         select id || 'x', account_id, type, actor_type, changes, created_at from audit_events
         where type = 'account.clock_advanced' limit 1`,
      ],
    ],
    [9, "a timer before its time", ["update work_items set due_at = due_at - interval '30 seconds'"]],
    [
      10,
      "work that nobody does",
      ["update work_items set fires_at = now() - interval '1 hour', due_at = now() - interval '1 hour'"],
    ],
  ];

  test.each(tampered)("names by invariant %i: %s", async (number, _what, statements) => {
    const faults = await findBroken(...statements);
    expect(faults.map(([found]) => found)).toContain(number);
  });

  const told = eventTypes.filter((type) => !type.startsWith("wallet."));
  const oneOfEach = `(select min(id) from events where type in ('${told.join("', '")}') group by type)`;

  test.each([
    ["is gone", `delete from events where id in ${oneOfEach}`],
    [
      "was told twice",
      `insert into events (id, account_id, type, body, created_at)
       select id || 'x', account_id, type, body, created_at from events where id in ${oneOfEach}`,
    ],
    [
      "tells of nothing there is",
      `update events set body = jsonb_set(body::jsonb, '{data,object,id}', '"other"')::text where id in ${oneOfEach}`,
    ],
  ])("names by invariant 5 an event of each type that %s", async (_what, statement) => {
    const faults = (await findBroken(statement)).filter(([number]) => number === 5).map(([, fault]) => fault);
    expect(told.filter((type) => !faults.some((fault) => fault.includes(` ${type}, `)))).toEqual([]);
  });

  test("names what is still under way", async () => {
    const { rows } = await leftOpen.execute(database.kysely);
    const things = ["Payment", "KycVerification", "CustodyDeposit", "CustodyTransfer", "CustodyApproval"];
    for (const thing of things) {
      expect(rows.map(({ fault }) => fault)).toContainEqual(expect.stringMatching(`^${thing} \\w+ is still `));
    }
  });

  test("names a fact that contradicts what is known", async () => {
    const trx = await database.kysely.startTransaction().execute();
    await sql`
      insert into inbox_facts (account_id, id, port, fact_id, subject_id, fact, status, received_at)
      values (${account.id}, 'fct_1', 'chain', 'told', 'trf_1', '{}', 'mismatched', now())
    `.execute(trx);
    const { rows } = await leftOpen.execute(trx);
    await trx.rollback().execute();
    expect(rows).toContainEqual({ fault: "the fact told of chain is mismatched" });
  });

  test("says of how many things of a kind it judged", async () => {
    const { kinds } = await judgeBooks(database, secrets);
    const countOf = (name: string) => kinds.find(({ kind }) => kind === name)?.count;
    expect(countOf("CustodyTransfer completed")).toBe(1);
    expect(countOf("custody.deposit.detected")).toBe(3);
    expect(countOf("CustodyApproval expired")).toBe(0);
  });

  test("a digit that was altered in a copy is named by the chain, and the original is whole", async () => {
    await database.close();
    const altered = await alterCopy({ url, openPlatform: (copy) => openPlatform(copy, encryptionKey) });
    expect(altered.faults).toEqual([expect.stringContaining(altered.id) as unknown]);
    database = openDatabase<Schema>({ url, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 });
    expect(await followChains(openPlatform(database, encryptionKey))).toEqual([]);
  });
});

test("a request that is answered 503 for too long is a fault, and is not said to be refused", async () => {
  const body = JSON.stringify({ error: { code: "UNAVAILABLE" } });
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((_req, res) => {
    vi.advanceTimersByTime(100);
    res.writeHead(503).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const port = portOf(server);
  const { signal } = new AbortController();
  const caller = createCaller({ findPort: () => port, signal, putOffMs: 250 });
  const answer = await caller.call({ method: "GET", path: "/wallets" }, { key: "key", idempotencyKey: "one" });
  expect(answer).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  expect(caller.lostTries()).toBe(2);
  expect(findFaultOf({ name: "list", weight: 1, request: () => null }, answer)).toContain("list: 503");
  const nobody = createCaller({ findPort: () => null, signal, putOffMs: -1 });
  const none = await nobody.call({ method: "GET", path: "/wallets" }, { key: "key", idempotencyKey: "two" });
  expect(findFaultOf({ name: "list", weight: 1, request: () => null }, none)).toContain("was not answered");
});

function portOf(server: Server): number {
  // A listening TCP server has an address of this kind.
  return (server.address() as AddressInfo).port;
}
