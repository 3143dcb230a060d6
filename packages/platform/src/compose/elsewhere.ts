import type { Answer, Readings } from "@gateway/engine/readings";
import type { Clock } from "@gateway/kernel";
import type { OutsidePorts } from "@gateway/ports";
import { ageOfPrices } from "../execution/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Instrument, Instruments } from "../market-data/index.ts";
import type { Services } from "./may-call.ts";

/** What an operation, or an item of work, needs of what is outside. It is asked before the transaction. */
export type Need =
  /** Of the counterparty that is paid: until when it is valid. */
  | ({ kind: "verification"; accountId: string } & ({ counterpartyId: string } | { paymentId: string }))
  /** That is to be traded, as it is now. */
  | ({ kind: "instrument"; accountId: string } & ({ symbol: string } | { orderId: string }))
  /** How old the price is that a market order would be filled at. */
  | { kind: "price"; accountId: string; symbol: string };

type Asked = Services & { ports: OutsidePorts; told: { clock: Clock } };

type Asks = { [Kind in Need["kind"]]: (asked: Asked, need: Extract<Need, { kind: Kind }>) => Promise<Answer | null> };

/** Null: there is nothing to ask for, because the service is here or the operation will be refused. */
const asks: Asks = {
  verification: async ({ orchestra, ports: { verifications } }, { accountId, ...of }) => {
    const id = verifications ? await orchestra.payments.findVerificationId({ accountId, ...of }) : null;
    return verifications && id !== null
      ? { subject: id, value: await verifications.readValidUntil({ accountId, id }) }
      : null;
  },
  instrument: async ({ execution, ports: { market } }, { accountId, ...of }) => {
    if (!market) {
      return null;
    }
    const { symbol } = "symbol" in of ? of : ((await execution.orders.get({ accountId, id: of.orderId })) ?? {});
    return symbol === undefined ? null : { subject: symbol, value: await market.findInstrument({ accountId, symbol }) };
  },
  price: async ({ marketData, ports: { market }, told }, { accountId, symbol }) => {
    if (market) {
      // An external service knows no clock of an account, so the age of its prices is told by the real time.
      const quotedAtMs = await market.findQuoteTime({ accountId, symbol });
      return { subject: symbol, value: quotedAtMs === null ? null : told.clock.now() - quotedAtMs };
    }
    const atMs = await marketData.accountNow({ accountId });
    return { subject: symbol, value: ageOfPrices(await marketData.prices.read({ accountId, symbol, atMs }), atMs) };
  },
};

/** Asks for what is needed, in no transaction. The answer is read from `readings` in the transaction. */
export function askFor<Of extends Need>(asked: Asked, need: Of): Promise<Answer | null> {
  // The table has one for each kind, and the type of a need names its kind.
  return (asks[need.kind] as (asked: Asked, need: Of) => Promise<Answer | null>)(asked, need);
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
