import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { createHash } from "node:crypto";
import type { NetworkCode } from "@gateway/ports";
import { spellAddress } from "./network.ts";

/** Chain that an address belongs to. Ethereum's addresses are the same on all chains. */
type AddressChain = "mainnet" | "testnet" | "any";

export type AddressReading =
  | { isValid: true; /** The one spelling that is stored. */ address: string; chain: AddressChain }
  | { isValid: false; /** Continues a sentence that begins with a field name. */ problem: string };

type Judged = { chain: AddressChain } | { fault: string };

const examples: Readonly<Record<NetworkCode, string>> = {
  bitcoin: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  ethereum: "0x52908400098527886E0F7030069857D2E4169EE7",
};

const judges: Readonly<Record<NetworkCode, (address: string) => Judged>> = {
  bitcoin: (address) => (/^(?:bc|tb|bcrt)1/i.test(address) ? judgeSegwit(address) : judgeBase58(address)),
  ethereum: judgeEthereum,
};

/**
 * The only place that decides whether a string is an address of a network. It checks form, check digits (BIP 173, BIP
 * 350, base58check, EIP-55) and chain, because money sent to a mistyped address is lost.
 */
export function readAddress(network: NetworkCode, text: string, { livemode }: { livemode: boolean }): AddressReading {
  const judged = judges[network](text);
  const fault = "fault" in judged ? judged.fault : livemode && judged.chain === "testnet" ? ofTestNetwork : null;
  return "fault" in judged || fault !== null
    ? { isValid: false, problem: `must be an address of ${network}, such as ${examples[network]}: ${fault}` }
    : { isValid: true, address: spellAddress(network, text), chain: judged.chain };
}

const segwitChains: Readonly<Record<string, AddressChain>> = { bc: "mainnet", tb: "testnet", bcrt: "testnet" };

/** Versions 0 and 1. Later versions have no rules yet, so anyone can take money sent to them. */
function judgeSegwit(address: string): Judged {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) {
    return { fault: "its letters must be all lower case or all upper case" };
  }
  const [first, second] = [bech32.decodeUnsafe(address), bech32m.decodeUnsafe(address)];
  const decoded = first ?? second;
  const chain = segwitChains[decoded?.prefix ?? ""];
  if (!decoded || !chain) {
    return { fault: mistyped };
  }
  const [version = -1, ...words] = decoded.words;
  if (version > 1) {
    return { fault: `its witness version is ${version}, and only 0 and 1 are in use` };
  }
  if ((version === 0) !== (first !== undefined)) {
    return {
      fault: `a witness of version ${version} needs the check digits of ${version === 0 ? "bech32" : "bech32m"}`,
    };
  }
  const sizeBytes = bech32.fromWordsUnsafe(words)?.length ?? 0;
  const sizes = version === 0 ? [20, 32] : [32];
  return sizes.includes(sizeBytes)
    ? { chain }
    : { fault: `a witness of version ${version} must have ${sizes.join(" or ")} bytes` };
}

const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());

/** Version bytes of pay-to-public-key-hash and pay-to-script-hash. */
const base58Chains: ReadonlyMap<number, AddressChain> = new Map([
  [0x00, "mainnet"],
  [0x05, "mainnet"],
  [0x6f, "testnet"],
  [0xc4, "testnet"],
]);

function judgeBase58(address: string): Judged {
  if (!/^[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(address)) {
    return { fault: "it begins with 1, 3 or bc1, and a test network's with m, n, 2, tb1 or bcrt1" };
  }
  const payload = decodeBase58(address);
  if (!payload) {
    return { fault: mistyped };
  }
  const chain = base58Chains.get(payload[0] ?? -1);
  return chain && payload.length === 21 ? { chain } : { fault: "this one belongs to something else" };
}

/** The library throws for wrong check digits, which are expected here. */
function decodeBase58(address: string): Uint8Array | null {
  try {
    return base58check.decode(address);
  } catch {
    return null;
  }
}

/** EIP-55: an address in both cases must have each letter in the case that its hash gives. */
function judgeEthereum(address: string): Judged {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
  if (digits === undefined) {
    return { fault: "0x and 40 hexadecimal digits" };
  }
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || digits === withChecksum(digits.toLowerCase())
    ? { chain: "any" }
    : { fault: "its capitals are its check digits (EIP-55), and they do not fit. Copy it again from its source" };
}

function withChecksum(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString("hex");
  return digits.replaceAll(/[a-f]/g, (letter, place: number) =>
    Number.parseInt(hash[place] ?? "0", 16) > 7 ? letter.toUpperCase() : letter,
  );
}

const ofTestNetwork = "this one belongs to a test network, which production does not send to";
const mistyped = "its check digits do not fit, so it is mistyped or incomplete. Copy it again from its source";
