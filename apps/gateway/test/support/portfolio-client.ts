import type { Schemas } from "@gateway/contract";
import { postedOrThrow, type LedgerPlace, type Wallet } from "@gateway/platform/ledger";
import { createApiClient, type ApiClient } from "./api-client.ts";
import type { TestGateway } from "./test-gateway.ts";

type Position = Schemas["Position"];
type Portfolio = Schemas["Portfolio"];
export type Valuation = Schemas["Valuation"];
type Currency = Wallet["currency"];

/** An account, and the calls that tests of its portfolio make for it. */
export type PortfolioClient = ApiClient & {
  createWallet(currency: Currency, amountMinor?: number): Promise<string>;
  fund(walletId: string, amount: number): Promise<void>;
  /**
   * Books a fill like the execution service: the quantity of the base, the charge and the fee in minor units of the
   * quote.
   */
  fill(fill: {
    side: "buy" | "sell";
    base: Side;
    quote: Side;
    quantity: number;
    charge: number;
    fee: number;
  }): Promise<void>;
  /** Seals booked ledger transactions, as the gateway does by itself within a second. */
  seal(): Promise<void>;
  advance(seconds: number): Promise<void>;
  positions(): Promise<Record<string, Position>>;
  portfolio(): Promise<Portfolio>;
  value(body?: object): Promise<Valuation>;
  /** Oldest first. */
  valuations(): Promise<Valuation[]>;
  /** Rows that the service has written. */
  rows(): Promise<{ portfolios: object[]; positions: object[]; valuations: object[] }>;
};

type Side = { walletId: string; currency: Currency };

export async function createPortfolioClient(gateway: TestGateway): Promise<PortfolioClient> {
  const api = await createApiClient(gateway, "write");
  const { account, ask } = api;
  const accountId = account.id;
  const { ledger } = gateway.platform;
  const fund: PortfolioClient["fund"] = async (walletId, amount) => {
    await ask("POST", `/sandbox/wallets/${walletId}/fund`, { amount });
  };
  const rowsOf = (table: "portfolios" | "positions" | "valuations") =>
    gateway.database.kysely.selectFrom(table).selectAll().where("account_id", "=", accountId).execute();
  return {
    ...{ ...api, fund },
    createWallet: async (currency, amountMinor = 0) => {
      const { id } = await ask<Schemas["Wallet"]>("POST", "/wallets", { name: currency, currency });
      if (amountMinor > 0) {
        await fund(id, amountMinor);
      }
      return id;
    },
    fill: async ({ side, base, quote, quantity, charge, fee }) => {
      const venue = (currency: Currency): LedgerPlace => ({ kind: "clearing", currency, part: "venue" });
      const part = (walletId: string): LedgerPlace => ({ kind: "wallet", walletId, part: "available" });
      const fees: LedgerPlace = { kind: "clearing", currency: quote.currency, part: "fees" };
      const isBuy = side === "buy";
      const net = isBuy ? charge + fee : charge - fee;
      const entries = [
        { place: part(quote.walletId), direction: isBuy ? "debit" : "credit", amountMinor: net },
        { place: venue(quote.currency), direction: isBuy ? "credit" : "debit", amountMinor: charge },
        { place: fees, direction: "credit", amountMinor: fee },
        { place: venue(base.currency), direction: isBuy ? "debit" : "credit", amountMinor: quantity },
        { place: part(base.walletId), direction: isBuy ? "credit" : "debit", amountMinor: quantity },
      ] as const;
      const posting = { accountId, kind: "fill", cause: null, isUnderWay: true } as const;
      const some = entries.filter(({ amountMinor }) => amountMinor > 0);
      postedOrThrow(await ledger.transactions.post({ ...posting, entries: some }));
    },
    seal: () => ledger.seals.sealNow(accountId),
    advance: async (seconds) => {
      await ask("POST", "/sandbox/clock/advance", { seconds });
    },
    positions: async () => {
      await ledger.seals.sealNow(accountId);
      const list = await ask<Position[]>("GET", "/positions");
      return Object.fromEntries(list.map((position) => [position.currency, position]));
    },
    portfolio: async () => {
      await ledger.seals.sealNow(accountId);
      return ask("GET", "/portfolio");
    },
    value: (body = {}) => ask("POST", "/valuations", body),
    valuations: async () => (await ask<Valuation[]>("GET", "/valuations?limit=100")).toReversed(),
    rows: async () => ({
      portfolios: await rowsOf("portfolios"),
      positions: (await rowsOf("positions")).toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
      valuations: await rowsOf("valuations"),
    }),
  };
}

export const day = 86_400;

/** Seconds until the next 00:00 UTC on the account's clock. */
export async function secondsToMidnight({ ask }: PortfolioClient): Promise<number> {
  const { now } = await ask<{ now: string }>("GET", "/sandbox/clock");
  return day - (Math.floor(Date.parse(now) / 1000) % day);
}
