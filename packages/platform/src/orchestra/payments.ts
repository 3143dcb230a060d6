import type { OrchestraDeps } from "./payment.ts";
import { changeAll, findOwn, prepareFilteredPages, type Own } from "@gateway/engine/find-own";
import { actsOf } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import { type PageRequest } from "@gateway/engine/page";
import { initiatePayment } from "./initiate-payment.ts";
import { applyRailFact, cancelPayment } from "./move-payment.ts";
import { paymentOf } from "./payment.ts";
import type { OrchestraTables, PaymentStatus } from "./tables.ts";
import { simulateRail } from "./simulate-rail.ts";
import { startCancelation, startSubmission } from "./submit-payment.ts";

type PaymentFilter = {
  walletId?: string | undefined;
  status?: PaymentStatus | undefined;
  externalId?: string | undefined;
};

/** Changes must run in a transaction. */
export type Payments = ReturnType<typeof createPayments>;

type FindVerificationIdInput = { accountId: string } & ({ counterpartyId: string } | { paymentId: string });

export function createPayments(db: Kysely<OrchestraTables>, deps: OrchestraDeps) {
  const select = () => db.selectFrom("payments").selectAll();
  const list = prepareFilteredPages(db, select, {
    ...{ name: "payments", cursors: deps.cursors, toItem: paymentOf },
    both: sql`(wallet_id || ' ' || status)`,
  });
  const inTransaction = actsOf(db, deps);
  return {
    /** The verification that `create` or `startSubmission` will check; null: none. */
    findVerificationId: async ({ accountId, ...of }: FindVerificationIdInput) => {
      const own = db.selectFrom("counterparties").select("kyc_verification_id").where("account_id", "=", accountId);
      const unsubmitted = db
        .selectFrom("payments")
        .select("counterparty_id")
        .where("account_id", "=", accountId)
        .where("status", "=", "initiated")
        .where("submitted_at", "is", null);
      const id = "counterpartyId" in of ? of.counterpartyId : unsubmitted.where("id", "=", of.paymentId);
      return (await own.where("id", "=", id).executeTakeFirst())?.kyc_verification_id ?? null;
    },
    /** Creates even a payment that fails at once, for lack of money or by compliance. Then nothing is booked. */
    create: inTransaction(initiatePayment),
    get: (own: Own) => findOwn(select(), own, paymentOf),
    list: ({ walletId, status, ...request }: { accountId: string } & PaymentFilter & PageRequest) =>
      list(request, { wallet_id: walletId, status }),
    /** Possible until the rail receives it. Null when there is no such payment. */
    cancel: inTransaction(cancelPayment),
    /**
     * Records that it is handed to its rail, so it can no longer be canceled. Returns the order for the rail, or null.
     */
    startSubmission: inTransaction(startSubmission),
    /**
     * Set when the rail must take back a payment without an outcome; null when it has one. `isAgain`: not the first
     * time.
     */
    startCancelation: inTransaction(startCancelation),
    /** Applies a report of the rail, see `decideRailFact`. */
    applyFact: inTransaction(applyRailFact),
    /** For the sandbox: reports a fact instead of the rail. Null when there is no such payment. */
    simulate: inTransaction(simulateRail),
    eraseTexts: (accountId: string) =>
      changeAll(db.updateTable("payments").set({ external_id: null, metadata: "{}" }), accountId),
  };
}
