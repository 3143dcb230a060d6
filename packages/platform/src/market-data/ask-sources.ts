import { Problem } from "@gateway/contract";
import type { OutsidePorts, PriceSources } from "@gateway/ports";
import { requirePort } from "@gateway/ports/require-port";

/** The port of prices. When it is missing or cannot be reached, the request fails with 503. */
export function askSources(ports: Pick<OutsidePorts, "priceSources">): PriceSources {
  const sources = requirePort(ports, "priceSources");
  return {
    read: (input) => orUnavailable(() => sources.read(input)),
    book: (input) => orUnavailable(() => sources.book(input)),
    bars: (input) => orUnavailable(() => sources.bars(input)),
    trades: (input) => orUnavailable(() => sources.trades(input)),
  };
}

async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Problem) {
      throw error;
    }
    const message = "The sources of prices are not available now. Try again in a moment.";
    throw new Problem("UNAVAILABLE", message, { headers: { "Retry-After": "5" }, cause: error });
  }
}
