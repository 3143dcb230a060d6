import type { DataOf } from "../../data/calls.ts";
import { Money } from "../../parts/shown/money.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Options = { approval: DataOf<"getApproval">; transfer: DataOf<"getTransfer"> | undefined };

/**
 * What the wallet holds without the transfer and with it. Amount and fee are held since it was asked for: held money is still in the wallet, and
 * leaves it with the transfer (ADR 64).
 */
export function BeforeAndAfter({ approval: { walletId, amount, currency, status }, transfer }: Options) {
  const asked = useCall({ operationId: "getWallet", path: { walletId } });
  const wallet = asked.data?.data;
  if (wallet === undefined || transfer === undefined || status !== "requested") {
    return <FailedPart of={asked} />;
  }
  const before = wallet.balance.available + wallet.balance.held;
  return (
    <dl className="figures" aria-label="The wallet">
      <div>
        <dt>
          <bdi>{wallet.name}</bdi> holds
        </dt>
        <dd>
          <Money amount={before} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>After it</dt>
        <dd>
          <Money amount={before - amount - transfer.fee} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>Free already</dt>
        <dd>
          <Money amount={wallet.balance.available} currency={currency} />
        </dd>
      </div>
    </dl>
  );
}
