import type { Currency, CursorCodec } from "@gateway/kernel";
import { pageOf, startOfPage, type PageRequest } from "@gateway/engine/page";
import type { NetworkCode } from "@gateway/ports";

export type CustodyCurrency = Extract<Currency, "BTC" | "ETH" | "USDC">;

/** How a currency travels. Amounts are its minor units. */
export type Network = {
  code: NetworkCode;
  currency: CustodyCurrency;
  requiredConfirmations: number;
  blockSeconds: number;
  feeMinor: number;
  minimumMinor: number;
};

export const networks: readonly Network[] = [
  {
    code: "bitcoin",
    currency: "BTC",
    requiredConfirmations: 3,
    blockSeconds: 600,
    feeMinor: 2_000,
    minimumMinor: 10_000,
  },
  {
    code: "ethereum",
    currency: "ETH",
    requiredConfirmations: 12,
    blockSeconds: 12,
    feeMinor: 50_000,
    minimumMinor: 1_000_000,
  },
  {
    code: "ethereum",
    currency: "USDC",
    requiredConfirmations: 12,
    blockSeconds: 12,
    feeMinor: 500_000,
    minimumMinor: 1_000_000,
  },
];

/** Null: it is money at a bank. */
export function networkOf(currency: Currency): Network | null {
  return networks.find((network) => network.currency === currency) ?? null;
}

/** One spelling of addresses: Ethereum's capitals are a checksum, bech32 has capitals in QR codes. */
export function spellAddress(network: NetworkCode, address: string): string {
  return network === "ethereum" || /^(?:bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address;
}

export type Networks = ReturnType<typeof createNetworks>;

export function createNetworks({ cursors }: { cursors: CursorCodec }) {
  const list = "networks";
  return {
    list: ({ limit, cursor }: PageRequest) => {
      const after = startOfPage(cursors, list, cursor);
      const rest = networks.slice(networks.findIndex(({ currency }) => currency === after) + 1);
      const rows = rest.map((network) => ({ ...network, id: network.currency }));
      return pageOf(rows, { cursors, list, limit, toItem: (row): Network => row });
    },
  };
}
