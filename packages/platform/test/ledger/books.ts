import { createEventRules } from "../../src/events/index.ts";
import { ledgerAccountIdOf, type LedgerPlace, type Posting } from "../../src/ledger/index.ts";
import { sql } from "kysely";
import { createEventStore, type EventStore } from "../events/event-store.ts";

export type Books = EventStore & {
  createWallet(currency?: "EUR" | "BTC"): Promise<string>;
  createOwn(mayBeNegative?: boolean): Promise<string>;
  /** Posts from equity, which is impossible over HTTP. */
  fund(walletId: string, amountMinor: number): ReturnType<Post>;
  post: Post;
  /** Moves available money between wallets, by hand. */
  move(from: string, to: string, amountMinor: number): Promise<{ id: string }>;
  idOf(place: LedgerPlace): string;
  check(): Promise<void>;
};

type Post = (
  posting: Pick<Posting, "entries"> & Partial<Posting>,
) => Promise<Awaited<ReturnType<EventStore["platform"]["ledger"]["transactions"]["post"]>>>;

export const available = (walletId: string): LedgerPlace => ({ kind: "wallet", walletId, part: "available" });

/** A ledger whose events are validated against the document. */
export async function createBooks(): Promise<Books> {
  const { checkEvent } = createEventRules({ webhookAllowedHosts: [] });
  const store = await createEventStore({ checkEvent }, { maxConnections: 24 });
  const { platform, accountId } = store;
  const { ledger } = platform;
  const idOf = (place: LedgerPlace): string => ledgerAccountIdOf(place, accountId);
  const post: Post = (posting) =>
    ledger.transactions.post({ accountId, kind: "opening", cause: null, isUnderWay: false, ...posting });
  return {
    ...store,
    idOf,
    post,
    createWallet: async (currency = "EUR") =>
      (await ledger.wallets.create({ accountId, name: "W", currency, metadata: {} })).id,
    createOwn: async (mayBeNegative = true) => {
      const own = { accountId, name: "Own", currency: "EUR" as const, mayBeNegative, externalId: null, metadata: {} };
      return (await ledger.accounts.create(own)).id;
    },
    fund: (walletId, amountMinor) =>
      post({
        entries: [
          { place: { kind: "clearing", currency: "EUR", part: "equity" }, direction: "debit", amountMinor },
          { place: available(walletId), direction: "credit", amountMinor },
        ],
      }),
    move: (from, to, amountMinor) =>
      ledger.transactions.create({
        accountId,
        entries: [
          { ledgerAccountId: idOf(available(from)), direction: "debit", amountMinor },
          { ledgerAccountId: idOf(available(to)), direction: "credit", amountMinor },
        ],
        description: null,
        externalId: null,
        metadata: {},
      }),
    check: () => checkBooks(store),
  };
}

/**
 * Checks what holds at every moment: the books balance, wallets contain what was booked in them, and each change is
 * reported once, in order.
 */
async function checkBooks({ database }: EventStore): Promise<void> {
  const faults = await sql<{ fault: string }>`
    select 'unbalanced ' || account_id || currency as fault from (
      select ledger_entries.account_id, currency, sum(case direction when 'credit' then amount else -amount end) as sum
      from ledger_entries join ledger_accounts
        on ledger_accounts.account_id = ledger_entries.account_id and ledger_accounts.id = ledger_account_id
      group by 1, 2
    ) as sums where sum <> 0
    union all
    select 'wallet ' || wallets.id || ' ' || part from wallets
    cross join lateral (values ('available', available), ('pending', pending), ('held', held)) as parts (part, balance)
    left join lateral (
      select sum(case direction when 'credit' then amount else -amount end) as booked from ledger_entries
      where account_id = wallets.account_id and ledger_account_id = ledger_account_id(wallets.id, part)
    ) as entries on true
    where balance <> coalesce(booked, 0) or balance < 0 or available + pending + held > 9007199254740991
    union all
    select 'own ' || id from ledger_accounts where kind = 'own' and balance <> coalesce((
      select sum(case direction when 'credit' then amount else -amount end) from ledger_entries
      where account_id = ledger_accounts.account_id and ledger_account_id = ledger_accounts.id
    ), 0)
    union all
    select 'events of ' || wallets.id from wallets where version <> (
      select count(*) from events where type = 'wallet.balance_changed' and body::jsonb #>> '{data,object,walletId}' = wallets.id
    )
    union all
    select 'event ' || id from (
      select id, object, row_number() over of_wallet as number, lag(object -> 'balanceAfter') over of_wallet as before
      from (
        select id, body::jsonb #> '{data,object}' as object from events where type = 'wallet.balance_changed'
      ) as changes
      window of_wallet as (partition by object ->> 'walletId' order by (object ->> 'version')::bigint)
    ) as numbered
    where number <> (object ->> 'version')::bigint
      or (before is not null and before is distinct from object -> 'balanceBefore')
      or (object #>> '{balanceAfter,available}')::bigint is null
  `.execute(database.kysely);
  if (faults.rows.length > 0) {
    throw new Error(faults.rows.map(({ fault }) => fault).join("\n"));
  }
}
