import { changeAll, findOwn, pageOfExternalId, type Own } from "@gateway/engine/find-own";
import { actsOf } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import {
  prepareAccountPages,
  readPage,
  refuseBesideRange,
  type IndexPart,
  type Page,
  type PageRequest,
} from "@gateway/engine/page";
import type { Rail } from "@gateway/ports";
import type { Fact, FactVerdict } from "@gateway/engine/work";
import { initiatePayment } from "./initiate-payment.ts";
import { applyRailFact, cancelPayment } from "./move-payment.ts";
import { paymentOf, type NewPayment, type Payment, type PaymentDeps, type PaymentOutcome } from "./payment.ts";
import type { OrchestraTables, PaymentStatus } from "./tables.ts";
import { simulateRail } from "./simulate-rail.ts";
import { startCancelation, startSubmission } from "./submit-payment.ts";

type PaymentFilter = {
  walletId?: string | undefined;
  status?: PaymentStatus | undefined;
  externalId?: string | undefined;
};

/** Changes must run in a transaction. */
export interface Payments {
  /** The verification that `create` or `startSubmission` will check; null: none. */
  findVerificationId(
    input: { accountId: string } & ({ counterpartyId: string } | { paymentId: string }),
  ): Promise<string | null>;
  /** Creates even a payment that fails at once, for lack of money or by compliance. Then nothing is booked. */
  create(input: NewPayment): Promise<Payment>;
  get(input: Own): Promise<Payment | null>;
  list(input: { accountId: string } & PaymentFilter & PageRequest): Promise<Page<Payment>>;
  /** Possible until the rail receives it. Null when there is no such payment. */
  cancel(input: Own): Promise<Payment | null>;
  /**
   * Records that it is handed to its rail, so it can no longer be canceled. Returns the order for the rail, or null.
   */
  startSubmission(input: Own & { at: Date }): Promise<Parameters<Rail["submit"]>[0] | null>;
  /**
   * Set when the rail must take back a payment without an outcome; null when it has one. `isAgain`: not the first time.
   */
  startCancelation(input: Own & { at: Date }): Promise<{ isAgain: boolean } | null>;
  /** Applies a report of the rail, see `decideRailFact`. */
  applyFact(fact: Fact): Promise<FactVerdict>;
  /** For the sandbox: reports a fact instead of the rail. Null when there is no such payment. */
  simulate(input: Own & { outcome: PaymentOutcome }): Promise<Payment | null>;
  eraseTexts(accountId: string): Promise<void>;
}

export function createPayments(db: Kysely<OrchestraTables>, deps: PaymentDeps): Payments {
  const { cursors } = deps;
  const select = () => db.selectFrom("payments").selectAll();
  const listAll = prepareAccountPages(db, select, { name: "payments", cursors, toItem: paymentOf });
  const inTransaction = actsOf(db, deps);
  return {
    findVerificationId: async ({ accountId, ...of }) => {
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
    create: inTransaction(initiatePayment),
    get: (own) => findOwn(select(), own, paymentOf),
    list: async ({ walletId, status, externalId, accountId, ...page }) => {
      refuseBesideRange(page, { walletId, status, externalId });
      if (externalId !== undefined) {
        const shown = { cursors, cursor: page.cursor, toItem: paymentOf };
        return pageOfExternalId(select(), { accountId, externalId, wanted: { wallet_id: walletId, status }, ...shown });
      }
      const of = filterOf({ walletId, status });
      return of === null
        ? listAll({ accountId, ...page })
        : readPage(db, select(), {
            ...page,
            ...{ cursors, toItem: paymentOf, of: { ...of, account_id: accountId } },
            list: `payments ${accountId} ${walletId ?? ""} ${status ?? ""}`,
          });
    },
    cancel: inTransaction(cancelPayment),
    startSubmission: inTransaction(startSubmission),
    startCancelation: inTransaction(startCancelation),
    applyFact: inTransaction(applyRailFact),
    simulate: inTransaction(simulateRail),
    eraseTexts: (accountId) =>
      changeAll(db.updateTable("payments").set({ external_id: null, metadata: "{}" }), accountId),
  };
}

const byWalletAndStatus = sql`(wallet_id || ' ' || status)`;

function filterOf({ walletId, status }: PaymentFilter): IndexPart | null {
  if (walletId !== undefined) {
    return status === undefined
      ? { wallet_id: walletId }
      : { both: { by: byWalletAndStatus, value: `${walletId} ${status}` } };
  }
  return status === undefined ? null : { status };
}
