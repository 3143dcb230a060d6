import type { Answer, Readings } from "@gateway/engine/readings";
import type { Clock } from "@gateway/kernel";
import type { OutsidePorts } from "@gateway/ports";
import { ageOfPrices } from "../execution/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Instrument, Instruments } from "../market-data/index.ts";
import type { Services } from "./may-call.ts";

/** Information that an operation or a work item needs from an external service. It is read before the transaction. */
export type Need = { accountId: string } & (
  | /** The time until which the paid counterparty's verification is valid. */
    ({ kind: "verification" } & ({ counterpartyId: string } | { paymentId: string }))
  /** The current state of the instrument that is to be traded. */
  | ({ kind: "instrument" } & ({ symbol: string } | { orderId: string }))
  /** The age of the price at which a market order would be filled. */
  | { kind: "price"; symbol: string }
  /** An address on a network, for a wallet. */
  | { kind: "address"; walletId: string; requestKey: string }
  /** The account's holdings at their current prices. */
  | { kind: "pricedPortfolio" }
);

type Asked = Services & { ports: OutsidePorts; told: { clock: Clock } };

/** Runs outside a transaction. Null: the service is internal, or the operation will be refused. */
export async function ask(asked: Asked, need: Need): Promise<Answer | null> {
  const { accountId } = need;
  const { market, verifications } = asked.ports;
  switch (need.kind) {
    case "verification": {
      const id = verifications && (await asked.orchestra.payments.findVerificationId(need));
      return id ? { subject: id, value: await verifications.readValidUntil({ accountId, id }) } : null;
    }
    case "instrument": {
      const { orders } = asked.execution;
      const of = market && ("symbol" in need ? need : await orders.get({ accountId, id: need.orderId }));
      return of ? { subject: of.symbol, value: await market.findInstrument({ accountId, symbol: of.symbol }) } : null;
    }
    case "price":
      return { subject: need.symbol, value: await ageOfPrice(asked, need) };
    case "address":
      return asked.custody.depositAddresses.obtain(need);
    case "pricedPortfolio":
      return { subject: accountId, value: await asked.portfolio.valuations.readPriced(accountId) };
  }
}

/** An external service does not know account clocks, so the age of its prices is measured in real time. */
async function ageOfPrice(
  { marketData, ports: { market }, told }: Asked,
  own: { accountId: string; symbol: string },
): Promise<number | null> {
  if (market) {
    const quotedAtMs = await market.findQuoteTime(own);
    return quotedAtMs === null ? null : told.clock.now() - quotedAtMs;
  }
  const atMs = await marketData.accountNow(own);
  return ageOfPrices(await marketData.prices.read({ ...own, atMs }), atMs);
}

/** Verifications of an external identity service, from the reading `verification`. */
export function verificationsElsewhere(readings: Readings): Pick<Identity["verifications"], "isValid"> {
  return {
    isValid: async ({ accountId, id, at }) => {
      const validUntilMs = await readings.read<number | null>({ accountId, kind: "verification", subject: id });
      return validUntilMs !== null && validUntilMs >= at.getTime();
    },
  };
}

/** Instruments of an external market data service, from the reading `instrument`. */
export function instrumentsElsewhere(readings: Readings): Pick<Instruments, "find"> {
  return {
    find: ({ accountId, symbol }) =>
      readings.read<Instrument | null>({ accountId, kind: "instrument", subject: symbol }),
  };
}
