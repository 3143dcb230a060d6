import type { ItemOf } from "../../data/calls.ts";
import { useCall } from "../../parts/use-call.ts";

type Account = Pick<ItemOf<"listLedgerAccounts">, "name" | "walletId">;

/** Each wallet has an `available`, a `pending` and a `held`: only with the name of the wallet one tells them apart. */
export function AccountName({ account: { name, walletId } }: { account: Account }) {
  const wallets = useCall({ operationId: "listWallets", query: { limit: 100 } }, { isWanted: walletId !== null });
  const wallet = wallets.data?.data.find(({ id }) => id === walletId);
  return (
    <>
      {wallet && (
        <>
          <bdi>{wallet.name}</bdi> ·{" "}
        </>
      )}
      <bdi>{name}</bdi>
    </>
  );
}
