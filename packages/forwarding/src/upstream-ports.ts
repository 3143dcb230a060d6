import type { Schemas } from "@gateway/contract";
import { createRequestIds } from "@gateway/kernel";
import { createHoldData } from "./hold-data.ts";
import { readUpstreamInstrument, readUpstreamQuoteTime } from "./read-market.ts";
import { readUpstreamPrices, type UpstreamPrice } from "./read-prices.ts";
import { readUpstreamValidUntil } from "./read-verification.ts";
import type { Upstreams } from "./upstreams.ts";

type OfSymbol = { accountId: string; symbol: string };

type UpstreamPorts = {
  verifications?: { readValidUntil(own: { accountId: string; id: string }): Promise<number | null> };
  market?: {
    findInstrument(own: OfSymbol): Promise<Schemas["Instrument"] | null>;
    findQuoteTime(own: OfSymbol): Promise<number | null>;
  };
  prices?: {
    listAt(asked: {
      accountId: string;
      symbols: readonly string[];
      atMs: number;
    }): Promise<ReadonlyMap<string, UpstreamPrice>>;
  };
};

/** What services of ours ask those that are somebody else's, in the shape of ports: they are asked in no transaction. */
export function upstreamPorts(upstreams: Pick<Upstreams, "of">, nowMs: () => number): UpstreamPorts {
  const [identity, marketData, oracle] = ["identity", "market-data", "oracle"].map((service) => upstreams.of(service));
  const nextRequestId = createRequestIds();
  const named = <Asked extends object>(asked: Asked) => ({ ...asked, requestId: nextRequestId() });
  const hold = marketData || oracle ? createHoldData() : null;
  return {
    ...(identity && { verifications: { readValidUntil: (own) => readUpstreamValidUntil(identity, named(own)) } }),
    ...(marketData &&
      hold && {
        market: {
          findInstrument: (own) => readUpstreamInstrument(marketData, hold, named(own)),
          findQuoteTime: (own) => readUpstreamQuoteTime(marketData, hold, named({ ...own, nowMs })),
        },
      }),
    ...(oracle && hold && { prices: { listAt: (asked) => readUpstreamPrices(oracle, hold, named(asked)) } }),
  };
}
