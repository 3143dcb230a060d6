import { chainFactIds, networks, type Network } from "@gateway/platform/custody";
import type { Chain, NetworkCode, PlanFacts, PlannedFact, TransferFact } from "@gateway/ports";
import { bech32 } from "@scure/base";
import { createHash } from "node:crypto";

/** The end of an address that the chain refuses, and of one whose transaction is never mined. */
export const magicAddresses = { refused: "dead", dropped: "beef" } as const;

/**
 * A chain whose addresses look like those of its network and have no known key. The same id gets the same address. The
 * chain knows a sent transaction at once, and confirms it after the number of blocks that its network needs. The end of
 * the address may select another outcome.
 */
export function createSimulatedChain(planFacts: PlanFacts): Chain {
  return {
    createAddress: async ({ network, addressId }) => ({
      address: addressFor[network](digestOf(`deposit address ${addressId}`)),
    }),
    submit: async (order) => {
      const transactionHash = hashFor[order.network](digestOf(`transfer ${order.transferId}`));
      await planFacts({ accountId: order.accountId, facts: planTransfer(order, transactionHash) });
      return { transactionHash };
    },
  };
}

/** The outcome of a transfer, and its time. */
export function planTransfer(
  {
    transferId,
    network,
    address,
    amountMinor,
  }: Pick<Parameters<Chain["submit"]>[0], "transferId" | "network" | "address" | "amountMinor">,
  transactionHash: string,
): PlannedFact[] {
  const { requiredConfirmations, blockSeconds } = timesOf(network);
  const minedAfterMs = requiredConfirmations * blockSeconds * 1000;
  const plan = (fact: TransferFact, afterMs: number): PlannedFact => ({
    port: "chain",
    factId: fact.type === "submitted" ? `submitted ${transferId}` : chainFactIds.outcome(transferId),
    afterMs,
    fact,
  });
  if (address.endsWith(magicAddresses.refused)) {
    return [plan({ type: "refused", transferId, transactionHash: null }, 0)];
  }
  const sent = { transferId, transactionHash, amountMinor };
  return [
    plan({ type: "submitted", ...sent, confirmations: 0 }, 0),
    address.endsWith(magicAddresses.dropped)
      ? plan({ type: "dropped", transferId, transactionHash }, minedAfterMs)
      : plan({ type: "confirmed", ...sent, confirmations: requiredConfirmations }, minedAfterMs),
  ];
}

/** The currencies of a network are mined in the same blocks. */
function timesOf(code: NetworkCode): Pick<Network, "requiredConfirmations" | "blockSeconds"> {
  const network = networks.find((one) => one.code === code);
  if (!network) {
    throw new Error(`There is no network ${code}.`);
  }
  return network;
}

const hashFor: Record<NetworkCode, (digest: Buffer) => string> = {
  bitcoin: (digest) => digest.toString("hex"),
  ethereum: (digest) => `0x${digest.toString("hex")}`,
};

const addressFor: Record<NetworkCode, (digest: Buffer) => string> = {
  // Version 0 of a witness, on the test network: `tb1q...`.
  bitcoin: (digest) => bech32.encode("tb", [0, ...bech32.toWords(digest.subarray(0, 20))]),
  ethereum: (digest) => `0x${digest.subarray(0, 20).toString("hex")}`,
};

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
