import type { ProblemCode } from "@gateway/contract";
import type { Currency } from "@gateway/kernel";
import {
  ledgerAccountIdOf,
  type Cause,
  type Direction,
  type LedgerTransactionKind,
  type LedgerPlace,
  type WalletPart,
} from "./ledger-place.ts";
import type { WalletStatus } from "./tables.ts";
import type { WalletBalance } from "./present-wallet.ts";

export type PostingEntry = { place: LedgerPlace; direction: Direction; amountMinor: number };

export type Posting = {
  accountId: string;
  kind: LedgerTransactionKind;
  cause: Cause;
  /** 2 to 100. Their debits and credits are equal in each currency. */
  entries: readonly PostingEntry[];
  /**
   * Promised before, or caused by an external system: wallets accept it even if they are not active; a closed one is
   * frozen.
   */
  isUnderWay: boolean;
  description?: string | null | undefined;
  externalId?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
  reverses?: { id: string; by: string } | undefined;
};

export type LockedWallet = WalletBalance & { id: string; currency: Currency; status: WalletStatus; version: number };
export type LockedAccount = { id: string; currency: Currency; mayBeNegative: boolean; balanceMinor: number };

export type WalletChange = { before: LockedWallet; after: LockedWallet };

export type BookedEntry = {
  ledgerAccountId: string;
  direction: Direction;
  amountMinor: number;
  /** The balance of the ledger account after the whole transaction; null for a clearing account, which stores none. */
  balanceAfterMinor: number | null;
};

export type Decision =
  | { kind: "booked"; wallets: WalletChange[]; accounts: LockedAccount[]; entries: BookedEntry[] }
  | RefusedPosting;

export type RefusedPosting = {
  kind: "refused";
  code: Extract<ProblemCode, "INSUFFICIENT_FUNDS" | "BALANCE_LIMIT_REACHED" | "WALLET_NOT_ACTIVE">;
  message: string;
};

/** The greatest number that every JSON parser reads exactly. All parts of a wallet together hold no more. */
const greatest = BigInt(Number.MAX_SAFE_INTEGER);

const balanceFields = { available: "availableMinor", pending: "pendingMinor", held: "heldMinor" } as const;

/** The rules of the ledger, without I/O. Throws on entries that do not balance or belong to another account. */
export function decidePosting(
  posting: Posting,
  locked: { wallets: readonly LockedWallet[]; accounts: readonly LockedAccount[] },
): Decision {
  const changes = sumByAccount(posting);
  assertBalanced(posting, locked);
  const wallets = locked.wallets.map((wallet) => changeWallet(wallet, posting, changes));
  const accounts = locked.accounts.map((account) => ({
    ...account,
    balanceMinor: BigInt(account.balanceMinor) + (changes.get(account.id) ?? 0n),
  }));
  const refusal =
    findInactive(posting, locked.wallets) ?? findShortage(wallets, accounts) ?? findExcess(wallets, accounts);
  if (refusal) {
    return refusal;
  }
  const decided = {
    wallets: wallets.map(({ before, after }) => ({ before, after: settle(before, after, posting.isUnderWay) })),
    accounts: accounts.map((account) => ({ ...account, balanceMinor: Number(account.balanceMinor) })),
  };
  return { kind: "booked", ...decided, entries: bookEntries(posting, decided) };
}

/** Credits less debits. Intermediate sums may exceed 2^53. */
function sumByAccount({ accountId, entries }: Posting): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { place, direction, amountMinor } of entries) {
    const id = ledgerAccountIdOf(place, accountId);
    sums.set(id, (sums.get(id) ?? 0n) + signed(direction, amountMinor));
  }
  return sums;
}

function signed(direction: Direction, amountMinor: number): bigint {
  return direction === "credit" ? BigInt(amountMinor) : -BigInt(amountMinor);
}

function assertBalanced(
  { entries }: Posting,
  { wallets, accounts }: { wallets: readonly LockedWallet[]; accounts: readonly LockedAccount[] },
): void {
  const currencies = new Map([...wallets, ...accounts].map(({ id, currency }) => [id, currency]));
  const sums = new Map<Currency, bigint>();
  for (const { place, direction, amountMinor } of entries) {
    const currency = place.kind === "clearing" ? place.currency : currencies.get(ownerOf(place));
    if (currency === undefined) {
      throw new Error(`The account has no ${place.kind} ${place.kind === "clearing" ? "" : ownerOf(place)}.`);
    }
    sums.set(currency, (sums.get(currency) ?? 0n) + signed(direction, amountMinor));
  }
  for (const [currency, sum] of sums) {
    if (sum !== 0n) {
      throw new Error(`The entries credit ${sum} ${currency} more than they debit.`);
    }
  }
}

function ownerOf(place: Exclude<LedgerPlace, { kind: "clearing" }>): string {
  return place.kind === "wallet" ? place.walletId : place.ledgerAccountId;
}

type BigBalance = Record<keyof WalletBalance, bigint>;

function changeWallet(
  wallet: LockedWallet,
  { accountId }: Posting,
  changes: ReadonlyMap<string, bigint>,
): { before: LockedWallet; after: BigBalance } {
  const partAfter = (part: WalletPart): bigint =>
    BigInt(wallet[balanceFields[part]]) +
    (changes.get(ledgerAccountIdOf({ kind: "wallet", walletId: wallet.id, part }, accountId)) ?? 0n);
  return {
    before: wallet,
    after: { availableMinor: partAfter("available"), pendingMinor: partAfter("pending"), heldMinor: partAfter("held") },
  };
}

/** An inactive wallet pays no new money, and a closed one accepts none that a caller sends. */
function findInactive({ entries, isUnderWay }: Posting, wallets: readonly LockedWallet[]): RefusedPosting | null {
  if (isUnderWay) {
    return null;
  }
  const wallet = wallets.find(
    ({ id, status }) =>
      status === "closed" ||
      (status === "frozen" &&
        entries.some(
          ({ place, direction }) => place.kind === "wallet" && place.walletId === id && direction === "debit",
        )),
  );
  return wallet
    ? refuse("WALLET_NOT_ACTIVE", `The wallet ${wallet.id} is ${wallet.status}, so nothing new is booked in it.`)
    : null;
}

type ChangedAccount = Omit<LockedAccount, "balanceMinor"> & { balanceMinor: bigint };

function findShortage(
  wallets: readonly { before: LockedWallet; after: BigBalance }[],
  accounts: readonly ChangedAccount[],
): RefusedPosting | null {
  for (const { before, after } of wallets) {
    for (const [part, field] of Object.entries(balanceFields)) {
      if (after[field] < 0n) {
        const message = `The wallet ${before.id} has ${before[field]} ${part}, in minor units, which is not enough.`;
        return refuse("INSUFFICIENT_FUNDS", message);
      }
    }
  }
  const short = accounts.find(({ mayBeNegative, balanceMinor }) => balanceMinor < 0n && !mayBeNegative);
  return short ? refuse("INSUFFICIENT_FUNDS", `The ledger account ${short.id} may not be negative.`) : null;
}

function findExcess(
  wallets: readonly { before: LockedWallet; after: BigBalance }[],
  accounts: readonly ChangedAccount[],
): RefusedPosting | null {
  const ids = [
    ...wallets.flatMap(({ before, after }) =>
      after.availableMinor + after.pendingMinor + after.heldMinor > greatest ? [`wallet ${before.id}`] : [],
    ),
    ...accounts.flatMap(({ id, balanceMinor }) =>
      balanceMinor > greatest || -balanceMinor > greatest ? [`ledger account ${id}`] : [],
    ),
  ];
  return ids.length > 0
    ? refuse("BALANCE_LIMIT_REACHED", `The ${ids[0]} would hold more than ${greatest}, in minor units.`)
    : null;
}

function refuse(code: RefusedPosting["code"], message: string): RefusedPosting {
  return { kind: "refused", code, message };
}

function settle(before: LockedWallet, after: BigBalance, isUnderWay: boolean): LockedWallet {
  const isEmpty = Object.values(after).every((amount) => amount === 0n);
  return {
    ...before,
    availableMinor: Number(after.availableMinor),
    pendingMinor: Number(after.pendingMinor),
    heldMinor: Number(after.heldMinor),
    status: before.status === "closed" && isUnderWay && !isEmpty ? "frozen" : before.status,
    version: before.version + 1,
  };
}

function bookEntries(
  { accountId, entries }: Posting,
  { wallets, accounts }: { wallets: readonly WalletChange[]; accounts: readonly LockedAccount[] },
): BookedEntry[] {
  const balances = new Map<string, number>(accounts.map(({ id, balanceMinor }) => [id, balanceMinor]));
  const walletsById = new Map(wallets.map(({ after }) => [after.id, after]));
  return entries.map(({ place, direction, amountMinor }) => {
    const ledgerAccountId = ledgerAccountIdOf(place, accountId);
    const wallet = place.kind === "wallet" ? walletsById.get(place.walletId) : undefined;
    const balanceAfterMinor =
      wallet && place.kind === "wallet" ? wallet[balanceFields[place.part]] : (balances.get(ledgerAccountId) ?? null);
    return { ledgerAccountId, direction, amountMinor, balanceAfterMinor };
  });
}
