import type { ItemOf } from "../../data/calls.ts";
import { useWallet } from "./look-up.ts";

type Account = Pick<ItemOf<"listLedgerAccounts">, "name" | "walletId">;

/** Each wallet has an `available`, a `pending` and a `held`: only with the name of the wallet one tells them apart. */
export function AccountName({ account: { name, walletId } }: { account: Account }) {
  const wallet = useWallet(walletId);
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
