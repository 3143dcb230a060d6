import type { Kysely } from "kysely";
import { checkValuations, type CheckedValuations } from "./check-valuations.ts";
import { followLedger, nextFollowing } from "./follow-ledger.ts";
import { rebuildPortfolioKind, type PortfolioDeps } from "./portfolio-deps.ts";
import type { PortfolioTables } from "./tables.ts";

export interface Upkeep {
  /**
   * Values the days that have ended. Returns when the next one ends, or null when more remain. Outside of transactions.
   */
  follow(input: { accountId: string; busyMs: number }): Promise<Date | null>;
  /**
   * Deletes what was derived from the ledger, but not valuations. False when there is nothing. Must run in a
   * transaction.
   */
  drop(accountId: string): Promise<boolean>;
  /** Counts again what was deleted; false when more remains. Outside of transactions. */
  countAgain(input: { accountId: string; busyMs: number }): Promise<boolean>;
  checkValuations(input: { accountId: string; busyMs: number }): Promise<CheckedValuations>;
}

export function createUpkeep(db: Kysely<PortfolioTables>, deps: PortfolioDeps): Upkeep {
  return {
    follow: async ({ accountId, busyMs }) => {
      const untilMs = await deps.accountNow(db, accountId);
      const { isBehind } = await followLedger(db, deps, { accountId, untilMs, busyMs });
      return isBehind ? null : nextFollowing({ livemode: deps.livemode, accountId, afterMs: untilMs });
    },
    drop: (accountId) =>
      deps.inAccount(db, accountId, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("portfolios")
          .set({ sequence: 0, net_flow: "0" })
          .where("account_id", "=", accountId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          return false;
        }
        await trx.deleteFrom("positions").where("account_id", "=", accountId).execute();
        await deps.recordAudit(trx, { accountId, type: "portfolio.rebuilt", resourceId: accountId });
        await deps.queue.arm({ accountId, kind: rebuildPortfolioKind, subjectId: accountId, firesAt: trx.now });
        return true;
      }),
    countAgain: async (input) => !(await followLedger(db, deps, { ...input, untilMs: null })).isBehind,
    checkValuations: (input) => checkValuations(db, deps, input),
  };
}
