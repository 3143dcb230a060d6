import { maxPeopleOfAccount } from "../../src/accounts/index.ts";
import type { Platform } from "../../src/compose/platform.ts";
import { cursorAt, limit, read, type Case } from "./cases.ts";
import { firstRows, idAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;

/** For each list of an account: its pages, and one entry. */
export const listCases = (rows: number): Case[] => [
  ...wholeLists(rows),
  ...createdCases(rows),
  ...externalIdCases(rows),
];

type List = {
  list: string;
  prefix: string;
  /** The part of the list's name for filters that are not sent. */
  more?: string;
  nounOf(platform: Platform): {
    list(request: { accountId: string; limit: number; cursor?: string }): Promise<unknown>;
    get?(own: { id: string; accountId: string }): Promise<unknown>;
  };
};

const accountLists: List[] = [
  { list: "wallets", prefix: "wal", nounOf: ({ ledger }: Platform) => ledger.wallets },
  { list: "counterparties", prefix: "cpy", nounOf: ({ orchestra }: Platform) => orchestra.counterparties },
  { list: "kyc-verifications", prefix: "kyc", nounOf: ({ identity }: Platform) => identity.verifications },
  { list: "payments", prefix: "pay", nounOf: ({ orchestra }: Platform) => orchestra.payments },
  { list: "deposits", prefix: "dep", nounOf: ({ custody }: Platform) => custody.deposits },
  { list: "deposit-addresses", prefix: "adr", nounOf: ({ custody }: Platform) => custody.depositAddresses },
  { list: "transfers", prefix: "trf", nounOf: ({ custody }: Platform) => custody.transfers },
  { list: "approvals", prefix: "apr", more: "  ", nounOf: ({ custody }: Platform) => custody.approvals },
  { list: "address-book", prefix: "adb", nounOf: ({ custody }: Platform) => custody.addressBook },
  { list: "orders", prefix: "ord", nounOf: ({ execution }: Platform) => execution.orders },
  { list: "fills", prefix: "fil", nounOf: ({ execution }: Platform) => execution.fills },
  { list: "valuations", prefix: "val", nounOf: ({ portfolio }: Platform) => portfolio.valuations },
  { list: "api-keys", prefix: "key", nounOf: ({ accounts }: Platform) => accounts.apiKeys },
  { list: "people", prefix: "per", nounOf: ({ accounts }: Platform) => accounts.people },
  { list: "oauth-applications", prefix: "app", nounOf: ({ accounts }: Platform) => accounts.oauthApplications },
  { list: "webhooks", prefix: "whk", nounOf: ({ events }: Platform) => events.webhooks },
];

/** Lists whose single entries cannot be read. */
const withoutOne = ["deposit-addresses", "address-book", "fills"];

const wholeLists = (rows: number): Case[] =>
  accountLists.flatMap(({ list, prefix, more = "", nounOf }): Case[] => {
    const page = (accountId: string, position?: number) => (platform: Platform) =>
      nounOf(platform).list({ accountId, limit, ...cursorAt(`${list} ${accountId}${more}`, prefix, position) });
    const one = (accountId: string) => async (platform: Platform) =>
      nounOf(platform).get?.({ id: idAt(prefix, 3), accountId });
    const isHistoryDeleted = list === "oauth-applications" || list === "webhooks";
    const begin = list === "people" ? rows - maxPeopleOfAccount : firstRows;
    return [
      read(`${list}: the newest`, limit, page(huge.accountId)),
      read(`${list}: half way`, isHistoryDeleted ? 0 : limit, page(huge.accountId, (begin + rows) / 2)),
      read(`${list}: the oldest`, isHistoryDeleted ? 0 : 5, page(huge.accountId, begin + 6)),
      read(`${list}: of an account with few`, 5, page(small.accountId)),
      read(`${list}: of an account with none`, 0, page(none.accountId)),
      ...(withoutOne.includes(list)
        ? []
        : [read(`${list}: one`, 1, one(small.accountId)), read(`${list}: another's`, 0, one(huge.accountId))]),
    ];
  });

const createdLists = [
  { list: "api-keys", prefix: "key", nounOf: ({ accounts }: Platform) => accounts.apiKeys },
  { list: "oauth-applications", prefix: "app", nounOf: ({ accounts }: Platform) => accounts.oauthApplications },
  { list: "webhooks", prefix: "whk", nounOf: ({ events }: Platform) => events.webhooks },
];

const createdCases = (rows: number): Case[] =>
  createdLists.flatMap(({ list, prefix, nounOf }): Case[] => {
    const page = (accountId: string, createdBy: string, position?: number) => (platform: Platform) =>
      nounOf(platform).list({
        accountId,
        createdBy,
        limit,
        ...cursorAt(`${list} ${accountId} ${createdBy}`, prefix, position),
      });
    const [key, person] = [idAt("key", 1), idAt("per", 1)];
    const isHistoryDeleted = list !== "api-keys";
    return [
      read(`${list} that a key made: the newest`, limit, page(huge.accountId, key)),
      read(`${list} that a key made: half way`, isHistoryDeleted ? 0 : limit, page(huge.accountId, key, rows / 2)),
      read(`${list} that a key made: of an account with few`, 5, page(small.accountId, key)),
      read(`${list} that a key made: of an account with none`, 0, page(none.accountId, key)),
      read(`${list} that a person made`, isHistoryDeleted ? 0 : 3, page(huge.accountId, person)),
      read(`${list} that a person made elsewhere`, 0, page(small.accountId, person)),
      read(`${list} that nobody made`, 0, page(huge.accountId, idAt("per", 2))),
    ];
  });

const listsByExternalId = [
  { list: "wallets", nounOf: ({ ledger }: Platform) => ledger.wallets },
  { list: "counterparties", nounOf: ({ orchestra }: Platform) => orchestra.counterparties },
  { list: "kyc-verifications", nounOf: ({ identity }: Platform) => identity.verifications },
  { list: "payments", nounOf: ({ orchestra }: Platform) => orchestra.payments },
  { list: "deposit-addresses", nounOf: ({ custody }: Platform) => custody.depositAddresses },
  { list: "transfers", nounOf: ({ custody }: Platform) => custody.transfers },
  { list: "orders", nounOf: ({ execution }: Platform) => execution.orders },
  { list: "valuations", nounOf: ({ portfolio }: Platform) => portfolio.valuations },
];

/** Row n has the external id n. */
const externalIdCases = (rows: number): Case[] =>
  listsByExternalId.flatMap(({ list, nounOf }): Case[] => {
    const find = (accountId: string, position: number) => (platform: Platform) =>
      nounOf(platform).list({ accountId, externalId: String(position), limit });
    return [
      read(`${list}: an external id`, 1, find(huge.accountId, rows)),
      read(`${list}: an external id of an account with few`, 1, find(small.accountId, 3)),
      read(`${list}: an external id of another account`, 0, find(small.accountId, rows)),
      read(`${list}: an external id of nobody`, 0, find(huge.accountId, rows + 1)),
    ];
  });
