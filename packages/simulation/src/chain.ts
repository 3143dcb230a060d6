import { chainFactIds, networks, type Network } from "@gateway/platform/custody";
import type { Chain, NetworkCode, PlanFacts, PlannedFact, TransferFact } from "@gateway/ports";
import { bech32 } from "@scure/base";
import { createHash } from "node:crypto";

/** How an address ends that the chain refuses to send to, and one to which a transaction is never mined. */
export const magicAddresses = { refused: "dead", dropped: "beef" } as const;

/**
 * A chain that gives out addresses which look like its network's, and which nobody has the key of: the same for the
 * same id. What is sent is known to it at once, and confirmed after as many blocks as its network needs, unless the end
 * of the address says otherwise.
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

/** What becomes of a transfer, and when. */
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

/** Its currencies are mined in the same blocks. */
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
  // Version 0 of a witness, of the test network: `tb1q...`.
  bitcoin: (digest) => bech32.encode("tb", [0, ...bech32.toWords(digest.subarray(0, 20))]),
  ethereum: (digest) => `0x${digest.subarray(0, 20).toString("hex")}`,
};

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
