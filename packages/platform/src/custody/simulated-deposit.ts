import type { CustodyDeps } from "./transfer-deps.ts";
import { Problem } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { createHash } from "node:crypto";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { Kysely } from "kysely";
import type { DepositFact, NetworkCode } from "@gateway/ports";
import { requireWallet, type DepositAddress, type DepositAddresses } from "./deposit-address.ts";
import type { Deposits } from "./deposit.ts";
import type { Deposit } from "./present-deposit.ts";
import type { Network } from "./network.ts";
import { depositSubjectOf } from "./read-deposit-fact.ts";
import type { CustodyTables } from "./tables.ts";

type OfWallet = { accountId: string; walletId: string };

type SeeInput = OfWallet & { amountMinor: number; transactionHash?: string | undefined };

type EndInput = { accountId: string; id: string; outcome: "confirmed" | "orphaned" };

export type SimulatedDepositDeps = CustodyDeps & {
  depositAddresses: DepositAddresses;
  deposits: Deposits;
};

/** For the sandbox: reports of its chain, when a caller requests them. They arrive by the same way as all facts. */
export function createSimulatedDeposits(db: Kysely<CustodyTables>, deps: SimulatedDepositDeps) {
  return {
    /**
     * The chain sees money come to the wallet, and confirms it after as many blocks as its network needs. A wallet
     * without an address gets one, because the simulated chain is in this process. With the hash of an orphaned
     * deposit, that deposit is seen again.
     */
    see: (input: SeeInput) => deps.inAccount(db, input.accountId, (trx) => see(trx, deps, input)),
    /** Ends a detected deposit at once. Null when there is no such deposit. */
    end: (input: EndInput) => deps.inAccount(db, input.accountId, (trx) => end(trx, deps, input)),
  };
}

async function see(
  trx: Transaction<CustodyTables>,
  deps: SimulatedDepositDeps,
  { accountId, walletId, amountMinor, transactionHash }: SeeInput,
): Promise<Deposit> {
  const { network } = await requireWallet(deps.ledger, { accountId, walletId });
  const { address } = await takeAddress(deps, { accountId, walletId });
  const output = {
    network: network.code,
    transactionHash: spellHash(network.code, transactionHash ?? hashOf(deps.createId("dep"))),
    outputIndex: 0,
  };
  const before = await deps.deposits.find({ accountId, ...output });
  const seen: DepositFact = {
    ...output,
    type: "seen",
    address,
    currency: network.currency,
    amountMinor,
    confirmations: 0,
    sequence: (before?.factSequence ?? 0) + 2,
  };
  if (before && before.status !== "orphaned") {
    throw new Problem("INVALID_STATE", `The deposit ${before.id} is ${before.status}, so it cannot be reported again.`);
  }
  await tell(deps, { accountId, fact: seen });
  await planConfirmation(deps, { accountId, network, seen });
  const deposit = await findDeposit(deps, { accountId, fact: seen });
  await deps.recordAudit(trx, {
    accountId,
    type: "deposit.simulated",
    resourceId: deposit.id,
    after: { outcome: "seen" },
  });
  return deposit;
}

async function end(
  trx: Transaction<CustodyTables>,
  deps: SimulatedDepositDeps,
  { accountId, id, outcome }: EndInput,
): Promise<Deposit | null> {
  // Locks the deposit, so that of concurrent calls the later ones see its outcome.
  const own = trx.selectFrom("deposits").select("id").where(isOwn({ id, accountId }));
  await own.forNoKeyUpdate().execute();
  const before = await deps.deposits.get({ accountId, id });
  if (!before) {
    return null;
  }
  if (before.status !== "detected") {
    const message = `The deposit ${id} is ${before.status}, and only one that is detected can be confirmed or dropped.`;
    throw new Problem("INVALID_STATE", message);
  }
  const isConfirmed = outcome === "confirmed";
  const fact: DepositFact = {
    ...before,
    amountMinor: before.amount,
    type: isConfirmed ? "confirmed" : "dropped",
    address: await addressOf(trx, { accountId, id: before.addressId }),
    confirmations: isConfirmed ? before.requiredConfirmations : 0,
    // Follows the fact that was planned when the deposit was seen.
    sequence: before.factSequence + 2,
  };
  await tell(deps, { accountId, fact });
  await deps.recordAudit(trx, { accountId, type: "deposit.simulated", resourceId: id, after: { outcome } });
  return findDeposit(deps, { accountId, fact });
}

async function tell(
  { work }: SimulatedDepositDeps,
  { accountId, fact }: { accountId: string; fact: DepositFact },
): Promise<void> {
  const receipt = await work.inbox.receive({ port: "chain", factId: factIdOf(fact), accountId, fact: contentOf(fact) });
  if (receipt === "parked") {
    throw new Problem("BALANCE_LIMIT_REACHED", "The wallet would hold more than 9007199254740991, in minor units.");
  }
  if (receipt !== "applied") {
    throw new Problem("INVALID_STATE", "The deposit differs from this request in its amount, wallet or state.");
  }
}

async function planConfirmation(
  { work }: SimulatedDepositDeps,
  { accountId, network, seen }: { accountId: string; network: Network; seen: DepositFact },
): Promise<void> {
  const { requiredConfirmations, blockSeconds } = network;
  // Follows the sighting, and precedes facts that a caller may send meanwhile, so a deposit dropped by then is not
  // confirmed later.
  const fact = contentOf({
    ...seen,
    type: "confirmed",
    confirmations: requiredConfirmations,
    sequence: seen.sequence + 1,
  });
  await work.plannedFacts.plan({
    accountId,
    facts: [{ port: "chain", factId: factIdOf(fact), afterMs: requiredConfirmations * blockSeconds * 1000, fact }],
  });
}

/** Leaves out the other fields of a deposit, which do not belong in a fact. */
function contentOf(fact: DepositFact): DepositFact {
  const { type, network, transactionHash, outputIndex, address, currency, amountMinor, confirmations, sequence } = fact;
  return { type, network, transactionHash, outputIndex, address, currency, amountMinor, confirmations, sequence };
}

function factIdOf(fact: DepositFact): string {
  return `simulated ${fact.type} ${depositSubjectOf(fact)} ${fact.sequence}`;
}

async function findDeposit(
  { deposits }: SimulatedDepositDeps,
  { accountId, fact }: { accountId: string; fact: DepositFact },
): Promise<Deposit> {
  const deposit = await deposits.find({ accountId, ...fact });
  if (!deposit) {
    throw new Error("A reported deposit does not exist.");
  }
  return deposit;
}

async function takeAddress(
  { createId, depositAddresses }: SimulatedDepositDeps,
  own: OfWallet,
): Promise<Pick<DepositAddress, "address">> {
  const [newest] = (await depositAddresses.list({ ...own, limit: 1 })).items;
  if (newest) {
    return newest;
  }
  const { value: address } = await depositAddresses.obtain({ ...own, requestKey: createId("adr") });
  return depositAddresses.create({ ...own, address });
}

async function addressOf(trx: Transaction<CustodyTables>, { accountId, id }: Own): Promise<string> {
  const { address } = await trx
    .selectFrom("deposit_addresses")
    .select("address")
    .where(isOwn({ id, accountId }))
    .executeTakeFirstOrThrow();
  return address;
}

/** A transaction hash for a new deposit. Any hash will do. */
function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

/** The hash in the spelling of its network. */
function spellHash(network: NetworkCode, hash: string): string {
  const digits = hash.replace(/^0x/, "");
  return network === "ethereum" ? `0x${digits}` : digits;
}
