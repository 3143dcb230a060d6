import type { Answer, Readings } from "@gateway/engine/readings";
import type { OutsidePorts } from "@gateway/ports";
import type { Identity } from "../identity/index.ts";
import type { Services } from "./may-call.ts";

/** What an operation, or an item of work, needs of what is outside. It is asked before the transaction. */
export type Need =
  /** Of the counterparty that is paid. */
  { kind: "verification"; accountId: string } & ({ counterpartyId: string } | { paymentId: string });

type Asked = Services & { ports: OutsidePorts };

type Asks = { [Kind in Need["kind"]]: (asked: Asked, need: Extract<Need, { kind: Kind }>) => Promise<Answer | null> };

/** Null: there is nothing to ask for, because the service is here or the operation will be refused. */
const asks: Asks = {
  verification: async ({ orchestra, ports: { verifications } }, { accountId, ...of }) => {
    const id = verifications ? await orchestra.payments.findVerificationId({ accountId, ...of }) : null;
    return verifications && id !== null
      ? { subject: id, value: await verifications.readValidUntil({ accountId, id }) }
      : null;
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
