import { useQuery } from "@tanstack/react-query";
import { callApi, type DataOf } from "../../data/calls.ts";
import { largestPage } from "../../data/whole-list.ts";
import type { Asked } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Account = DataOf<"getLedgerAccount">;

/** The ledger accounts of entries. The latest are one read for everyone who asks; older ones are asked for once. */
export function useAccountsOf(entries: readonly { ledgerAccountId: string }[]): {
  find(id: string): Account | undefined;
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
