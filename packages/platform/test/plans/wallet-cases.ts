import type { Platform } from "../../src/compose/platform.ts";
import type { WalletFilter } from "../../src/ledger/index.ts";
import { cursorAt, limit, read, type Case } from "./cases.ts";
import { firstRows, owners } from "./row-values.ts";

const { huge, small } = owners;

/** The three oldest of the huge account are closed and in JPY. All others are active and in EUR. */
export const walletCases = (rows: number): Case[] => {
  const page = (accountId: string, filter: WalletFilter, position?: number) => (platform: Platform) => {
    const list = `wallets ${accountId} ${filter.status ?? ""} ${filter.currency ?? ""}`;
    return platform.ledger.wallets.list({ accountId, limit, ...filter, ...cursorAt(list, "wal", position) });
  };
  const frequent = [{ currency: "EUR" }, { status: "active" }, { currency: "EUR", status: "active" }] as const;
  const rare = [{ currency: "JPY" }, { status: "closed" }, { currency: "JPY", status: "closed" }] as const;
  const never = [{ currency: "BTC" }, { status: "frozen" }, { currency: "EUR", status: "closed" }] as const;
  const named = (filter: WalletFilter): string => `wallets of ${Object.values(filter).join(" and ")}`;
  return [
    ...frequent.flatMap((filter): Case[] => [
      read(`${named(filter)}: the newest`, limit, page(huge.accountId, filter)),
      read(`${named(filter)}: half way`, limit, page(huge.accountId, filter, rows / 2)),
      read(`${named(filter)}: the oldest`, 2, page(huge.accountId, filter, firstRows + 6)),
      read(`${named(filter)}: of an account with few`, 5, page(small.accountId, filter)),
    ]),
    ...rare.flatMap((filter): Case[] => [
      read(named(filter), 3, page(huge.accountId, filter)),
      read(`${named(filter)}: half way`, 3, page(huge.accountId, filter, rows / 2)),
      read(`${named(filter)}: of another account`, 0, page(small.accountId, filter)),
    ]),
    ...never.map((filter): Case => read(named(filter), 0, page(huge.accountId, filter))),
  ];
};
