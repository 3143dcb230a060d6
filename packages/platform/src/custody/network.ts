import type { Currency, CursorCodec } from "@gateway/kernel";
import { pageOf, startOfPage, type Page, type PageRequest } from "@gateway/engine/page";
import type { NetworkCode } from "@gateway/ports";

export type CustodyCurrency = Extract<Currency, "BTC" | "ETH" | "USDC">;

/** How a currency travels. Amounts are its minor units. */
export type Network = {
  code: NetworkCode;
  currency: CustodyCurrency;
  requiredConfirmations: number;
  /** Between two blocks, about. */
  blockSeconds: number;
  /** What a transfer costs beside its amount. */
  feeMinor: number;
  /** The smallest amount of a transfer. */
  minimumMinor: number;
};

/** One a currency. */
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

/**
 * One spelling of what the network reads in several: Ethereum's addresses, whose capitals are a checksum, and bech32,
 * which QR codes have in capitals. In base58, capitals are other digits.
 */
export function spellAddress(network: NetworkCode, address: string): string {
  return network === "ethereum" || /^(?:bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address;
}

/** For callers: in the order of the table. */
export interface Networks {
  list(request: PageRequest): Page<Network>;
}

export function createNetworks({ cursors }: { cursors: CursorCodec }): Networks {
  const list = "networks";
  return {
    list: ({ limit, cursor }) => {
      const after = startOfPage(cursors, list, cursor);
      const rest = networks.slice(networks.findIndex(({ currency }) => currency === after) + 1);
      const rows = rest.map((network) => ({ ...network, id: network.currency }));
      return pageOf(rows, { cursors, list, limit, toItem: (row): Network => row });
    },
  };
}
