import { Problem, type ProblemCode } from "@gateway/contract";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import type { Need } from "../../src/compose/elsewhere.ts";
import type { Services } from "../../src/compose/may-call.ts";
import type { Platform } from "../../src/compose/platform.ts";
import type { PlatformDeps } from "../../src/compose/services.ts";
import { noPorts, type AskedMarket } from "@gateway/ports";
import { idAt, owners } from "./row-values.ts";

export type Case = {
  name: string;
  ask: (platform: Platform) => Promise<unknown>;
  /** The number of returned rows, or null for a change that returns none. */
  answers: number | null;
  /** The number of rows that it must read; the number of returned rows by default. */
  looksAt?: number;
  /**
   * Walks along an index and examines each row. No step of a statement may handle more than one walk of `examinePage`.
   */
  examines?: boolean;
};

export const read = (name: string, answers: number, ask: Case["ask"], looksAt = answers): Case => ({
  name,
  answers,
  looksAt,
  ask,
});

/** A change that is rolled back, see `undone`. */
export const change = (name: string, looksAt: number, ...[work, needs]: Parameters<typeof undone>): Case => ({
  name,
  answers: null,
  looksAt,
  ask: undone(work, needs),
});

export const limit = 20;
export const cursors = createCursorCodec(Buffer.alloc(32, "key"));

const unused = (): never => {
  throw new Error("Nothing that is measured asks the outside.");
};

/** An account's overrides are looked up. Of the prices themselves there are none. */
const silentSources = {
  read: async () => [],
  book: async () => ({ bids: [], asks: [] }),
  bars: async () => [],
  trades: async () => [],
};

/** External instruments, so that a case of the readings is among the cases. */
const market: AskedMarket = {
  findInstrument: async ({ symbol }) => ({
    ...{ symbol, base: "USDC", quote: "EUR", priceScale: 2, tickSize: "0.01", status: "trading" },
    ...{ minimumQuantity: 1, maximumQuantity: 10, quantityStep: 1 },
  }),
  findQuoteTime: async () => null,
};

export const deps: PlatformDeps = {
  clock: systemClock,
  // Rows are made by Postgres, which seals nothing.
  cipher: { ...createCipher([Buffer.alloc(32, "key")]), open: (bytes) => Buffer.from(bytes) },
  cursors,
  livemode: false,
  createPorts: () => ({
    ...noPorts,
    chain: { createAddress: unused, submit: unused },
    rail: { submit: unused, cancel: unused },
    venue: { place: unused, cancel: unused, replace: unused, reconcile: unused },
    kycEngine: { check: unused },
    priceSources: silentSources,
    market,
  }),
  eventRules: { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null },
};

/** A connection reads the catalog when it first writes to a partitioned table. */
export const firstAudit = undone(({ audit }) =>
  audit.record({ accountId: owners.none.accountId, type: "account.created", resourceId: owners.none.accountId }),
);

export function cursorAt(list: string, prefix: string, position: number | undefined): { cursor?: string } {
  return position === undefined ? {} : { cursor: cursors.encode(list, idAt(prefix, position)) };
}

/** Runs the work in a transaction of the account with the most rows, which is rolled back. */
export function undone(
  work: (services: Services) => Promise<unknown>,
  needs: readonly Need[] = [],
): (platform: Platform) => Promise<unknown> {
  return async (platform) => {
    const rollback = new Error("rolled back");
    const running = platform.inAccount(
      owners.huge.accountId,
      async (services) => {
        await work(services);
        throw rollback;
      },
      { needs },
    );
    await running.catch((error: unknown) => {
      if (error !== rollback) {
        throw error;
      }
    });
  };
}

/** Waits for the expected refusal. */
export async function refused(code: ProblemCode, work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Problem) || outcome.code !== code) {
    throw new Error(`It was not refused with ${code}.`, { cause: outcome });
  }
}
