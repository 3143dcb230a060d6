import type { Answer, Readings } from "@gateway/engine/readings";
import type { Clock } from "@gateway/kernel";
import type { OutsidePorts } from "@gateway/ports";
import { ageOfPrices } from "../execution/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Instrument, Instruments } from "../market-data/index.ts";
import type { Services } from "./may-call.ts";

/** What an operation, or an item of work, needs of what is outside. It is asked before the transaction. */
export type Need = { accountId: string } & (
  | /** Of the counterparty that is paid: until when it is valid. */
    ({ kind: "verification" } & ({ counterpartyId: string } | { paymentId: string }))
  /** That is to be traded, as it is now. */
  | ({ kind: "instrument" } & ({ symbol: string } | { orderId: string }))
  /** How old the price is that a market order would be filled at. */
  | { kind: "price"; symbol: string }
  /** Of a network, for a wallet. */
  | { kind: "address"; walletId: string; requestKey: string }
  /** What the account has, with what that costs now. */
  | { kind: "pricedPortfolio" }
);

type Asked = Services & { ports: OutsidePorts; told: { clock: Clock } };

/** In no transaction. Null: the service is here, or the operation will be refused. */
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

/** An external service knows no clock of an account, so the age of its prices is told by the real time. */
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

/** The verifications of an external identity service: as `verification` was answered. */
export function verificationsElsewhere(readings: Readings): Pick<Identity["verifications"], "isValid"> {
  return {
    isValid: async ({ accountId, id, at }) => {
      const validUntilMs = await readings.read<number | null>({ accountId, kind: "verification", subject: id });
      return validUntilMs !== null && validUntilMs >= at.getTime();
    },
  };
}

/** The instruments of an external market data service: as `instrument` was answered. */
export function instrumentsElsewhere(readings: Readings): Pick<Instruments, "find"> {
  return {
    find: ({ accountId, symbol }) =>
      readings.read<Instrument | null>({ accountId, kind: "instrument", subject: symbol }),
  };
}
