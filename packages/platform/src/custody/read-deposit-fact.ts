import type { DepositFact } from "@gateway/ports";
import type { FactContent } from "@gateway/engine/work";
import { networks, spellAddress } from "./network.ts";

/** An output of a transaction, known before a deposit for it exists. */
export type DepositOutput = Pick<DepositFact, "network" | "transactionHash" | "outputIndex">;

const types: readonly unknown[] = ["seen", "confirmed", "dropped"] satisfies DepositFact["type"][];

/**
 * Throws for content that a chain must not report. It is refused at receipt, and the adapter has to send it correctly.
 */
export function readDepositFact(content: FactContent): DepositFact {
  // Validated against its type below.
  const fact = content as DepositFact;
  const network = networks.find(({ code, currency }) => code === fact.network && currency === fact.currency);
  const isWhole =
    network !== undefined &&
    types.includes(fact.type) &&
    typeof fact.address === "string" &&
    /^(?:0x)?[0-9a-f]{64}$/i.test(String(fact.transactionHash)) &&
    isFrom(1, fact.amountMinor) &&
    [fact.outputIndex, fact.confirmations, fact.sequence].every((count) => isFrom(0, count));
  if (!isWhole) {
    throw new Error(`A chain reported content that is not a fact of a deposit: ${JSON.stringify(content)}`);
  }
  return {
    ...fact,
    address: spellAddress(fact.network, fact.address),
    transactionHash: fact.transactionHash.toLowerCase(),
  };
}

/** All facts of one output have one subject, so they wait for one another. */
export function depositSubjectOf(content: FactContent): string {
  const { network, transactionHash, outputIndex } = readDepositFact(content);
  return `${network} ${transactionHash} ${outputIndex}`;
}

function isFrom(least: number, value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}
