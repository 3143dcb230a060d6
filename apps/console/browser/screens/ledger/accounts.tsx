import { type ItemOf, callApi, type DataOf } from "../../data/calls.ts";
import { useNameOf } from "../../parts/names/names.tsx";
import { useQuery } from "@tanstack/react-query";
import { largestPage } from "../../data/live-lists.ts";
import type { Asked } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Account = Pick<ItemOf<"listLedgerAccounts">, "name" | "walletId">;

/** Each wallet has an `available`, a `pending` and a `held`: only with the name of the wallet one tells them apart. */
export function AccountName({ account: { name, walletId } }: { account: Account }) {
  const wallet = useNameOf("wallet", walletId);
  return (
    <>
      {wallet !== null && (
        <>
          <bdi>{wallet}</bdi> ·{" "}
        </>
      )}
      <bdi>{name}</bdi>
    </>
  );
}

type FullAccount = DataOf<"getLedgerAccount">;

/** The ledger accounts of entries. The latest are one read for everyone who asks; older ones are asked for once. */
export function useAccountsOf(entries: readonly { ledgerAccountId: string }[]): {
  find(id: string): FullAccount | undefined;
  asked: readonly Asked[];
} {
  const latest = useCall({ operationId: "listLedgerAccounts", query: { limit: largestPage } });
  const known = latest.data?.data ?? [];
  const missing = [...new Set(entries.map(({ ledgerAccountId }) => ledgerAccountId))].filter(
    (id) => !known.some((account) => account.id === id),
  );
  const older = useQuery({
    queryKey: ["older", ...missing],
    queryFn: ({ signal }) =>
      Promise.all(
        missing.map((ledgerAccountId) =>
          callApi({ operationId: "getLedgerAccount", path: { ledgerAccountId } }, { signal }),
        ),
      ),
    enabled: latest.data !== undefined && missing.length > 0,
    staleTime: Infinity,
  });
  const accounts = [...known, ...(older.data ?? []).map(({ data }) => data)];
  return { find: (id) => accounts.find((account) => account.id === id), asked: [latest, older] };
}

type Entry = { ledgerAccountId: string; direction: string; amount: number };

/** Empty while the currency of an account is not known. */
export function balanceByCurrency(
  entries: readonly Entry[],
  currencyOf: (ledgerAccountId: string) => string | undefined,
): { currency: string; isBalanced: boolean }[] {
  const sums = new Map<string, bigint>();
  for (const { ledgerAccountId, direction, amount } of entries) {
    const currency = currencyOf(ledgerAccountId);
    if (currency === undefined) {
      return [];
    }
    sums.set(currency, (sums.get(currency) ?? 0n) + (direction === "debit" ? BigInt(amount) : -BigInt(amount)));
  }
  return [...sums].map(([currency, sum]) => ({ currency, isBalanced: sum === 0n }));
}

export const views = { accounts: "Accounts", transactions: "Transactions" };
