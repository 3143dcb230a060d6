import type { FactRoute, WorkHandlers } from "@gateway/engine/work";
import type { OutsidePorts, Rail } from "@gateway/ports";
import type { Payments } from "./payments.ts";
import { silentAgainAfterMs, silentPaymentKind, submitPaymentKind } from "./submit-payment.ts";

type Called = { orchestra: { payments: Payments } };

export const paymentWork: WorkHandlers<Called> = {
  [submitPaymentKind]: async ({ accountId, subjectId: id, firesAt }, { transaction, ports }) => {
    const order = await transaction(
      ({ orchestra }) => orchestra.payments.startSubmission({ accountId, id, at: firesAt }),
      { needs: [{ kind: "verification", accountId, paymentId: id }] },
    );
    if (order) {
      await railOf(ports).submit(order);
    }
    return async () => null;
  },
  [silentPaymentKind]: async ({ accountId, subjectId: id, firesAt }, { transaction, ports, alarm }) => {
    const silence = await transaction(({ orchestra }) =>
      orchestra.payments.startCancelation({ accountId, id, at: firesAt }),
    );
    if (silence === null) {
      return async () => null;
    }
    if (silence.isAgain) {
      alarm?.(`The rail does not report the outcome of the payment ${id}; its money stays held.`);
    }
    await railOf(ports).cancel({ accountId, paymentId: id });
    return async () => new Date(firesAt.getTime() + silentAgainAfterMs);
  },
};

/** Work that was armed while the deployment had a rail is tried again, and alarms. */
function railOf({ rail }: OutsidePorts): Rail {
  if (!rail) {
    throw new Error("This deployment has no rail.");
  }
  return rail;
}

export const railRoute: FactRoute<Called> = {
  subjectOf: ({ paymentId }) => String(paymentId),
  apply: ({ orchestra }, fact) => orchestra.payments.applyFact(fact),
};
