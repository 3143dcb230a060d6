import { startOfIds } from "@gateway/kernel";

/** So long ago that no transaction of that time is in flight. */
const nowMs = Date.now() - 20 * 60_000;
/** All of one millisecond. Dated rows older than 30 days are not seen. */
const time = startOfIds("", nowMs).slice(1);
export const happened = `to_timestamp(${nowMs / 1_000})`;
export function ago(ms: number): string {
  return new Date(nowMs - ms).toISOString();
}

/** `wal_01kaxxxxxx0000000000000042` */
export function idAt(prefix: string, position: number): string {
  return `${prefix}_${time}${String(position).padStart(16, "0")}`;
}

/** The owners of nearly all rows, of the five oldest, and of none. */
export const owners = {
  huge: { accountId: idAt("acc", 1), userId: idAt("usr", 1) },
  small: { accountId: idAt("acc", 2), userId: idAt("usr", 2) },
  none: { accountId: idAt("acc", 3), userId: idAt("usr", 3) },
};

/** Rows beyond these belong to the huge account. With these alone, every account seems to have one. */
export const firstRows = 50;
/** The newest rows that an account has not deleted yet. */
export const liveRows = 40;

export const id = (prefix: string, position = "n"): string =>
  `'${prefix}_${time}' || lpad((${position})::text, 16, '0')`;
export const account = `case when n <= 5 then ${id("acc", "2")} when n <= ${firstRows} then ${id("acc")} else ${id("acc", "1")} end`;
export const isRare = `n between ${firstRows + 1} and ${firstRows + 3}`;
export const isLive = `(n <= ${firstRows} or n > last - ${liveRows})`;
/** One key made nearly all rows of the huge account, and a person the three oldest. */
export const createdBy = `case when ${isRare} then jsonb_build_object('type', 'person', 'id', ${id("per", "1")})
  else jsonb_build_object('type', 'apiKey', 'id', ${id("key", "1")}) end`;
export const month = "now() + interval '30 days'";

/** Live webhooks of the huge account, by how many rows before the last they are. */
const webhookPlaces = { idle: 0, busy: 1, quiet: 2, backlog: 3, abandoned: 4, waiting: 5, stopped: 6 };
export type WebhookName = keyof typeof webhookPlaces;
export const webhook = (name: WebhookName): string => id("whk", `last - ${webhookPlaces[name]}`);
export function webhookAt(name: WebhookName, last: number): string {
  return idAt("whk", last - webhookPlaces[name]);
}
export const isStopped = `n in (last - ${webhookPlaces.abandoned}, last - ${webhookPlaces.stopped})`;

/** Wallets of the huge account, by how many rows before the last they are. `funded` is in ETH, `busy` in USDC. */
const walletPlaces = { funded: 2, paying: 3, busy: 4, quiet: 5, idle: 6 };
export type WalletName = keyof typeof walletPlaces;
export const isWallet = (name: WalletName): string => `n = last - ${walletPlaces[name]}`;
export const wallet = (name: WalletName): string => id("wal", `last - ${walletPlaces[name]}`);
export function walletAt(name: WalletName, last: number): string {
  return idAt("wal", last - walletPlaces[name]);
}
/** The wallets of movements: three old ones have one wallet, the rest another. */
export const movedWallet = `case when n <= ${firstRows} then ${id("wal")} when ${isRare} then ${wallet("quiet")} else ${wallet("busy")} end`;

/** Ledger accounts of the huge account, by how many rows before the last they are. */
const ledgerAccountPlaces = { clearing: 0, quiet: 1, own: 2, otherOwn: 3 };
export type LedgerAccountName = keyof typeof ledgerAccountPlaces;
const ledgerAccount = (name: LedgerAccountName): string => id("lac", `last - ${ledgerAccountPlaces[name]}`);
export function ledgerAccountAt(name: LedgerAccountName, last: number): string {
  return idAt("lac", last - ledgerAccountPlaces[name]);
}
export const isClearing = `n = last - ${ledgerAccountPlaces.clearing}`;
export const isOwn = `(n % 500 = 0 and not ${isClearing} or n in (last - ${ledgerAccountPlaces.own}, last - ${ledgerAccountPlaces.otherOwn}))`;

/** Payments to one counterparty, the newest. */
export const paidToday = 2_000;

/** Orders of the huge account that have not ended: one less than it may have. */
export const openOrders = 199;

/** The newest ledger transactions of the huge account. */
export const unsealedRows = 5;

const endOfBooksMs = Date.now() - 120_000;
/** One a second. */
export function bookedAt(position: number, last: number): Date {
  return new Date(endOfBooksMs - (last - position) * 1_000);
}
export const booked = `to_timestamp(${endOfBooksMs / 1_000}) - (last - n) * interval '1 second'`;
export const bookedHalfWay = `to_timestamp(${endOfBooksMs / 1_000}) - (last - last / 2) * interval '1 second'`;
export const bookedOn = `case when n <= ${firstRows} then ${id("lac")} when n <= ${firstRows + 5} then ${ledgerAccount("quiet")}
  when n <= ${firstRows + 8} then ledger_account_id(${id("wal", "last")}, 'available') else ${ledgerAccount("clearing")} end`;
