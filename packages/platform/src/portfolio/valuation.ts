import { Problem } from "@gateway/contract";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { Currency } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { changeAll, findOwn, prepareFilteredPages, type Own } from "@gateway/engine/find-own";
import { type PageRequest } from "@gateway/engine/page";
import { heldIn } from "./count-on.ts";
import { followLedger, refuseBehind } from "./follow-ledger.ts";
import type { PortfolioDeps } from "./portfolio-deps.ts";
import { readPortfolio, savePortfolio } from "./portfolio-row.ts";
import { createPriceReader } from "./prices.ts";
import type { PortfolioTables } from "./tables.ts";
import { insertValuation, valuationOf, type Valuation } from "./valuation-row.ts";
import { valuePortfolio, type Price } from "./value.ts";

/** Input of a valuation: the ledger is counted up to `sequence`, and `prices` are those of the held currencies. */
type Priced = { atMs: number; sequence: number; prices: Partial<Record<Currency, Price | null>> };

type CreateInput = { accountId: string; externalId: string | null; metadata: Record<string, string> };

/** How long a caller waits for the bookings since the last count. */
export const callerWaitsMs = 2_000;

export function createValuations(db: Kysely<PortfolioTables>, deps: PortfolioDeps) {
  const select = () => db.selectFrom("valuations").selectAll();
  const listKept = prepareFilteredPages(db, select, { name: "valuations", cursors: deps.cursors, toItem: valuationOf });
  return {
    /** Seals and counts what is booked by now, and reads its prices. Outside of transactions. */
    readPriced: (accountId: string) => readPriced(db, deps, accountId),
    /** Refuses a stale price, and an external id that was ever used in the account. Must run in a transaction. */
    create: (input: CreateInput) => deps.inAccount(db, input.accountId, (trx) => create(trx, deps, input)),
    get: (own: Own) => findOwn(select(), own, valuationOf),
    /** Includes the days that have ended. Outside of transactions. */
    list: async (request: { accountId: string; externalId?: string | undefined } & PageRequest) => {
      if (request.externalId === undefined) {
        await valueEndedDays(db, deps, request);
      }
      return listKept(request);
    },
    /** Stored valuations only. It values no day and asks for no prices: for readers that have no source of them. */
    listKept,
    eraseTexts: (accountId: string) =>
      changeAll(db.updateTable("valuations").set({ external_id: null, metadata: "{}" }), accountId),
  };
}

/** Values all days that have ended. The next valuation is due when the next day ends, whatever is booked. */
async function valueEndedDays(
  db: Kysely<PortfolioTables>,
  deps: PortfolioDeps,
  { accountId }: { accountId: string },
): Promise<void> {
  const known = await db
    .selectFrom("portfolios")
    .select("next_daily_at")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const untilMs = await deps.accountNow(db, accountId);
  if ((known?.next_daily_at?.getTime() ?? 0) <= untilMs) {
    refuseBehind(await followLedger(db, deps, { accountId, untilMs, busyMs: callerWaitsMs }));
  }
}

async function readPriced(db: Kysely<PortfolioTables>, deps: PortfolioDeps, accountId: string): Promise<Priced> {
  const atMs = await deps.accountNow(db, accountId);
  const followed = await followLedger(db, deps, { accountId, untilMs: atMs, busyMs: callerWaitsMs });
  const portfolio = refuseBehind(followed);
  const held = heldIn(portfolio);
  const priceOf = await createPriceReader(deps.prices, { accountId }).allAt(atMs, held);
  const prices = Object.fromEntries(held.map((currency) => [currency, priceOf(currency)]));
  return { atMs, sequence: portfolio.sequence, prices };
}

async function create(
  trx: AccountTransaction<PortfolioTables>,
  deps: PortfolioDeps,
  { accountId, externalId, metadata }: CreateInput,
): Promise<Valuation> {
  const { atMs, sequence, prices } = await deps.readings.read<Priced>({
    ...{ accountId, kind: "pricedPortfolio", subject: accountId },
  });
  const before = await readPortfolio(trx, { accountId, isLocked: true });
  const isOther = heldIn(before).some((currency) => !(currency in prices));
  if (before.sequence < sequence || before.valued.atMs > atMs || isOther) {
    throw new Problem("UNAVAILABLE", "The portfolio changed while it was being valued. Try again.", {
      headers: { "Retry-After": "1" },
    });
  }
  const value = valuePortfolio(before, (currency) => prices[currency] ?? null, before.valued);
  const stale = value?.lines.find(({ isStale }) => isStale);
  if (!value || stale) {
    const what = stale ? `The price of ${stale.currency} is more than two minutes old` : "Something has no price";
    throw new Problem("PRICE_STALE", `${what}, so the portfolio cannot be valued. Try again when it is quoted.`);
  }
  const { equity, flow, netFlow, profit, lines } = value;
  const valuation: Valuation = {
    id: deps.createId("val"),
    kind: "requested",
    at: new Date(atMs),
    ledgerSequence: before.sequence,
    previousId: before.valued.id,
    ...{ equity, netFlow, profit, lines },
    ...{ externalId, metadata, createdAt: trx.now },
  };
  if (!(await insertValuation(trx, { ...valuation, accountId, atMs }))) {
    throw new Problem("EXTERNAL_ID_USED", `The externalId ${externalId} belongs to another valuation of this account.`);
  }
  const after = { ...before, valued: { id: valuation.id, atMs, equity, flow } };
  if (!(await savePortfolio(trx, { accountId, before, after }))) {
    throw new Error(`The portfolio of ${accountId} changed while it was locked.`);
  }
  await deps.recordAudit(trx, { accountId, type: "valuation.created", resourceId: valuation.id });
  return valuation;
}
