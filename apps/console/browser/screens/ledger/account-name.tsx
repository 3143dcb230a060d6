import type { ItemOf } from "../../data/calls.ts";
import { useNameOf } from "../../parts/names/names.tsx";

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
