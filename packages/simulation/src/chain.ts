import {
  chainFactIds,
  networks,
  type Chain,
  type Network,
  type NetworkCode,
  type PlanFacts,
  type PlannedFact,
  type TransferFact,
} from "@gateway/platform";
import { createHash } from "node:crypto";

/** How an address ends that the chain refuses to send to, and one to which a transaction is never mined. */
export const magicAddresses = { refused: "dead", dropped: "beef" } as const;

/**
 * A chain that gives out addresses which look like its network's, and which nobody has the key of: the same for the same id. What is sent is
 * known to it at once, and confirmed after as many blocks as its network needs, unless the end of the address says otherwise.
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
  bitcoin: (digest) => bech32Address("tb", digest.subarray(0, 20)),
  ethereum: (digest) => `0x${digest.subarray(0, 20).toString("hex")}`,
};

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** BIP 173, for version 0 of witness programs: `tb1q...`, of the test network. */
function bech32Address(prefix: string, program: Buffer): string {
  const values = [0, ...fiveBitsEach(program)];
  const expanded = Array.from(prefix, (letter) => letter.charCodeAt(0));
  const checked = [...expanded.map((code) => code >> 5), 0, ...expanded.map((code) => code & 31), ...values];
  const sum = polymod([...checked, 0, 0, 0, 0, 0, 0]) ^ 1;
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => (sum >> shift) & 31);
  return `${prefix}1${[...values, ...checksum].map((value) => alphabet[value]).join("")}`;
}

/** 20 bytes are 32 times five bits, without a rest. */
function fiveBitsEach(bytes: Buffer): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from(bits.matchAll(/.{5}/g), ([five]) => Number.parseInt(five, 2));
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, bit) => {
      sum ^= (top >> bit) & 1 ? generator : 0;
    });
  }
  return sum;
}
