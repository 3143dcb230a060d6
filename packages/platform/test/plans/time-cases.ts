import type { Platform } from "../../src/compose/platform.ts";
import { cursors, limit, read, type Case } from "./cases.ts";
import { bookedAt, firstRows, idAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;

const listsByTime = [
  { list: "wallets", prefix: "wal", nounOf: ({ ledger }: Platform) => ledger.wallets },
  { list: "ledger-accounts", prefix: "lac", nounOf: ({ ledger }: Platform) => ledger.accounts },
  { list: "ledger-transactions", prefix: "ltx", more: "  ", nounOf: ({ ledger }: Platform) => ledger.transactions },
  { list: "ledger-entries", prefix: "ltx", more: " ", nounOf: ({ ledger }: Platform) => ledger.entries },
  { list: "counterparties", prefix: "cpy", nounOf: ({ orchestra }: Platform) => orchestra.counterparties },
  { list: "kyc-verifications", prefix: "kyc", nounOf: ({ identity }: Platform) => identity.verifications },
  { list: "payments", prefix: "pay", nounOf: ({ orchestra }: Platform) => orchestra.payments },
  { list: "deposits", prefix: "dep", nounOf: ({ custody }: Platform) => custody.deposits },
  { list: "deposit-addresses", prefix: "adr", nounOf: ({ custody }: Platform) => custody.depositAddresses },
  { list: "transfers", prefix: "trf", nounOf: ({ custody }: Platform) => custody.transfers },
  { list: "approvals", prefix: "apr", more: "  ", nounOf: ({ custody }: Platform) => custody.approvals },
  { list: "orders", prefix: "ord", nounOf: ({ execution }: Platform) => execution.orders },
  { list: "fills", prefix: "fil", nounOf: ({ execution }: Platform) => execution.fills },
  { list: "address-book", prefix: "adb", nounOf: ({ custody }: Platform) => custody.addressBook },
  { list: "valuations", prefix: "val", nounOf: ({ portfolio }: Platform) => portfolio.valuations },
];

/** Row n was created n seconds after the beginning. */
export const timeCases = (rows: number): Case[] =>
  listsByTime.flatMap(({ nounOf, ...list }) =>
    casesByTime(rows, { ...list, page: (platform, request) => nounOf(platform).list(request) }),
  );

type RequestByTime = {
  accountId: string;
  limit: number;
  cursor?: string;
  createdAfter?: string;
  createdBefore?: string;
};

/** Cases for all entries of an account, or for a part that is as large. */
function casesByTime(
  rows: number,
  {
    list,
    prefix,
    more = "",
    page,
  }: {
    list: string;
    prefix: string;
    more?: string;
    page: (platform: Platform, request: RequestByTime) => Promise<unknown>;
  },
): Case[] {
  const half = bookedAt(rows / 2, rows).toISOString();
  const ask =
    (accountId: string, range: Pick<RequestByTime, "createdAfter" | "createdBefore">) => (platform: Platform) =>
      page(platform, { accountId, limit, ...range });
  const named = `${list} ${huge.accountId}${more} from  to ${half}`;
  const after = cursors.encode(named, `${bookedAt(rows / 4, rows).toISOString()} ${idAt(prefix, rows / 4)}`);
  const early = bookedAt(firstRows + 6, rows).toISOString();
  return [
    read(`${list} since half of them`, limit, ask(huge.accountId, { createdAfter: half })),
    read(`${list} before half of them`, limit, ask(huge.accountId, { createdBefore: half })),
    read(`${list} before half of them: the page after`, limit, (platform) =>
      page(platform, { accountId: huge.accountId, limit, createdBefore: half, cursor: after }),
    ),
    read(`${list} before nearly all`, 5, ask(huge.accountId, { createdBefore: early })),
    read(
      `${list} of five seconds, half way`,
      5,
      ask(huge.accountId, { createdAfter: half, createdBefore: bookedAt(rows / 2 + 5, rows).toISOString() }),
    ),
    read(
      `${list} since later than all`,
      0,
      ask(huge.accountId, { createdAfter: bookedAt(rows + 1, rows).toISOString() }),
    ),
    read(`${list} before half of them: of an account with few`, 5, ask(small.accountId, { createdBefore: half })),
    read(`${list} since half of them: of an account with few`, 0, ask(small.accountId, { createdAfter: half })),
    read(`${list} by time: of an account with none`, 0, ask(none.accountId, { createdBefore: half })),
  ];
}
