import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import type { Transaction } from "@gateway/database";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { type Own, findOwn, firstOf, prepareFilteredPages } from "@gateway/engine/find-own";
import { begin, expectMoved, move, type Moves, type TransitionEvent } from "@gateway/engine/move";
import { postedOrThrow, type LedgerPlace } from "../ledger/index.ts";
import { type PageRequest } from "@gateway/engine/page";
import type { DepositFact } from "@gateway/ports";
import type { Fact, FactVerdict } from "@gateway/engine/work";
import { decideDeposit, isEarly } from "./decide-deposit.ts";
import { findByAddress } from "./deposit-address.ts";
import { networkOf } from "./network.ts";
import { type Deposit, presentDeposit } from "./present-deposit.ts";
import { readDepositFact, type DepositOutput } from "./read-deposit-fact.ts";
import type { CustodyTables, DepositsTable } from "./tables.ts";

export type Deposits = ReturnType<typeof createDeposits>;

type ListInput = {
  accountId: string;
  walletId?: string | undefined;
  status?: DepositsTable["status"] | undefined;
} & PageRequest;

export function createDeposits(db: Kysely<CustodyTables>, deps: CustodyDeps) {
  const select = () => db.selectFrom("deposits").selectAll();
  const list = prepareFilteredPages(db, select, {
    ...{ name: "deposits", cursors: deps.cursors, toItem: nounOf<Row> },
    both: sql`(wallet_id || ' ' || status)`,
  });
  return {
    get: (own: Own) => findOwn(select(), own, nounOf),
    find: ({ accountId, ...output }: { accountId: string } & DepositOutput) =>
      firstOf(selectOutput(db, accountId, output), nounOf),
    list: ({ walletId, status, ...request }: ListInput) => list(request, { wallet_id: walletId, status }),
    /** Applies a chain's report on an output. Must run in the transaction of its receipt. */
    apply: async ({ accountId, content }: Pick<Fact, "accountId" | "content">) =>
      applyFact(deps.joinAccount(db, accountId), deps, { accountId, fact: readDepositFact(content) }),
  };
}

const depositTable = { machine: "CustodyDeposit", table: "deposits" } as const;

type Told = { accountId: string; fact: DepositFact };
type Trx = AccountTransaction<CustodyTables>;

/** Locks the deposit before its wallet. */
async function applyFact(trx: Trx, deps: CustodyDeps, told: Told): Promise<FactVerdict> {
  const row = await lockDeposit(trx, told);
  return row ? applyToDeposit(trx, deps, { ...told, row }) : applyToNone(trx, deps, told);
}

async function applyToDeposit(
  trx: Trx,
  deps: CustodyDeps,
  { fact, row, ...told }: Told & { row: LockedRow },
): Promise<FactVerdict> {
  const decision = decideDeposit({ ...nounOf(row), address: row.address }, fact);
  if (decision.kind !== "taken") {
    return decision.kind;
  }
  return orUndo(trx, async () => {
    await trx
      .updateTable("deposits")
      .set({ fact_sequence: fact.sequence, confirmations: fact.confirmations })
      .where("account_id", "=", told.accountId)
      .where("id", "=", row.id)
      .execute();
    for (const name of decision.transitions) {
      if (!(await moveDeposit(trx, deps, { ...told, name, id: row.id }))) {
        return "parked";
      }
    }
    return "applied";
  });
}

/** Parks the drop of an output that was never seen, and money for an address that we do not know yet. */
async function applyToNone(trx: Trx, deps: CustodyDeps, { accountId, fact }: Told): Promise<FactVerdict> {
  const address = fact.type === "dropped" ? undefined : await findByAddress(trx, fact);
  const network = networkOf(fact.currency);
  if (address?.account_id !== accountId || !network) {
    return "parked";
  }
  if (isEarly(network, fact)) {
    return "mismatched";
  }
  return orUndo(trx, async () => {
    const { state: status, event } = begin("CustodyDeposit", "detect");
    const row = await trx
      .insertInto("deposits")
      .values({
        account_id: accountId,
        id: deps.createId("dep"),
        wallet_id: address.wallet_id,
        address_id: address.id,
        network: fact.network,
        currency: network.currency,
        transaction_hash: fact.transactionHash,
        output_index: fact.outputIndex,
        amount: fact.amountMinor,
        status,
        confirmations: fact.confirmations,
        required_confirmations: network.requiredConfirmations,
        fact_sequence: fact.sequence,
        created_at: trx.now,
      })
      // Waits for another fact of the same output, and then finds its deposit.
      .onConflict((conflict) =>
        conflict.columns(["account_id", "network", "transaction_hash", "output_index"]).doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) {
      return applyFact(trx, deps, { accountId, fact });
    }
    const deposit = nounOf(row);
    const announces = [event("custody.deposit.detected", presentDeposit(deposit))];
    if (!(await post(deps, { accountId, deposit, announces, name: "detect" }))) {
      return "parked";
    }
    if (fact.type === "confirmed") {
      await moveDeposit(trx, deps, { accountId, id: deposit.id, name: "confirm" });
    }
    return "applied";
  });
}

/** False: the wallet can hold no more, and the changes must be undone. */
async function moveDeposit(
  trx: Trx,
  deps: CustodyDeps,
  { name, ...own }: Own & { name: Moves<"CustodyDeposit"> },
): Promise<boolean> {
  const moved = await transitions[name](trx, own);
  return post(deps, { accountId: own.accountId, name, ...moved });
}

type MovedDeposit = { deposit: Deposit; announces: readonly TransitionEvent[] };

const transitions: Record<Moves<"CustodyDeposit">, (trx: Trx, own: Own) => Promise<MovedDeposit>> = {
  confirm: async (trx, own) => {
    const change = { ...own, set: { confirmed_at: trx.now } };
    const { row, event } = expectMoved(await move(trx, depositTable, "confirm", change));
    const deposit = nounOf(row);
    return { deposit, announces: [event("custody.deposit.confirmed", presentDeposit(deposit))] };
  },
  detectAgain: async (trx, own) => {
    const { row, event } = expectMoved(await move(trx, depositTable, "detectAgain", own));
    const deposit = nounOf(row);
    return { deposit, announces: [event("custody.deposit.detected", presentDeposit(deposit))] };
  },
  orphan: async (trx, own) => {
    const { row } = expectMoved(await move(trx, depositTable, "orphan", own));
    return { deposit: nounOf(row), announces: [] };
  },
};

const places = {
  chain: ({ currency }) => ({ kind: "clearing", currency, part: "chain" }),
  pending: ({ walletId }) => ({ kind: "wallet", walletId, part: "pending" }),
  available: ({ walletId }) => ({ kind: "wallet", walletId, part: "available" }),
} satisfies Record<string, (deposit: Deposit) => LedgerPlace>;

const postings = {
  detect: ["chain", "pending"],
  detectAgain: ["chain", "pending"],
  confirm: ["pending", "available"],
  orphan: ["pending", "chain"],
} as const satisfies Record<string, readonly [keyof typeof places, keyof typeof places]>;

/** The money comes from a chain, so it is booked in a wallet of any state. False: the wallet can hold no more. */
async function post(
  { ledger }: CustodyDeps,
  { accountId, deposit, announces, name }: MovedDeposit & { accountId: string; name: keyof typeof postings },
): Promise<boolean> {
  const [debited, credited] = postings[name];
  const { amount: amountMinor } = deposit;
  const result = await ledger.post({
    accountId,
    kind: "deposit",
    cause: { type: "deposit", id: deposit.id },
    isUnderWay: true,
    announces,
    entries: [
      { place: places[debited](deposit), direction: "debit", amountMinor },
      { place: places[credited](deposit), direction: "credit", amountMinor },
    ],
  });
  if (result.kind === "refused" && result.code === "BALANCE_LIMIT_REACHED") {
    return false;
  }
  postedOrThrow(result);
  return true;
}

/** A parked fact must change nothing, so its changes are rolled back. The rest of the transaction continues. */
async function orUndo(trx: Transaction<CustodyTables>, work: () => Promise<FactVerdict>): Promise<FactVerdict> {
  await sql`savepoint before_fact`.execute(trx);
  const verdict = await work();
  await (verdict === "parked" ? sql`rollback to savepoint before_fact` : sql`release savepoint before_fact`).execute(
    trx,
  );
  return verdict;
}

type Row = Selectable<DepositsTable>;
type LockedRow = Row & { address: string };

async function lockDeposit(trx: Transaction<CustodyTables>, { accountId, fact }: Told): Promise<LockedRow | undefined> {
  const row = await selectOutput(trx, accountId, fact).forNoKeyUpdate().executeTakeFirst();
  if (!row) {
    return undefined;
  }
  const { address } = await trx
    .selectFrom("deposit_addresses")
    .select("address")
    .where("account_id", "=", accountId)
    .where("id", "=", row.address_id)
    .executeTakeFirstOrThrow();
  return { ...row, address };
}

function selectOutput(
  db: Kysely<CustodyTables>,
  accountId: string,
  { network, transactionHash, outputIndex }: DepositOutput,
) {
  return db
    .selectFrom("deposits")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("network", "=", network)
    .where("transaction_hash", "=", transactionHash)
    .where("output_index", "=", outputIndex);
}
