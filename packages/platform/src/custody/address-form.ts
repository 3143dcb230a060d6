import type { NetworkCode } from "../ports/index.ts";

/** Hexadecimal; base58 or bech32. Whether the check digits fit is the network's to say. */
const forms: Readonly<Record<NetworkCode, { pattern: RegExp; example: string }>> = {
  bitcoin: {
    pattern: /^(?:[13mn2][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87})$/,
    example: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  },
  ethereum: { pattern: /^0x[0-9a-fA-F]{40}$/, example: "0x52908400098527886e0f7030069857d2e4169ee7" },
};

/** What is wrong with how an address is written, or null. */
export function findAddressProblem(network: NetworkCode, address: string): string | null {
  const { pattern, example } = forms[network];
  return pattern.test(address) ? null : `must be an address of ${network}, such as ${example}`;
}
