import type { DataOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { Figures } from "../../parts/shown/figures.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";

type Options = { approval: DataOf<"getApproval">; transfer: DataOf<"getTransfer"> | undefined };

/** The balance of the wallet without the transfer and with it. Held money is still in the wallet (ADR 64). */
export function BeforeAndAfter({ approval: { walletId, amount, currency, status }, transfer }: Options) {
  const asked = useCall({ operationId: "getWallet", path: { walletId } });
  const wallet = asked.data?.data;
  if (wallet === undefined || transfer === undefined || status !== "requested") {
    return <FailedPart of={asked} />;
  }
  const { available, held } = wallet.balance;
  const money = (minor: number) => <Money amount={minor} currency={currency} />;
  const name = (
    <>
      <bdi>{wallet.name}</bdi> holds
    </>
  );
  return (
    <Figures
      label="The wallet"
      of={[
        [name, money(available + held)],
        ["After it", money(available + held - amount - transfer.fee)],
        ["Free already", money(available)],
      ]}
    />
  );
}
