import type { OutsidePorts } from "@gateway/ports";
import { createRequestIds } from "@gateway/kernel";
import { createHoldData } from "./hold-data.ts";
import { readUpstreamInstrument, readUpstreamQuoteTime } from "./read-market.ts";
import { readUpstreamPrices } from "./read-prices.ts";
import { readUpstreamValidUntil } from "./read-verification.ts";
import type { Upstreams } from "./upstreams.ts";

/** External services in the shape of ports. They are called outside transactions. */
export function upstreamPorts(upstreams: Pick<Upstreams, "of">, nowMs: () => number): Partial<OutsidePorts> {
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
