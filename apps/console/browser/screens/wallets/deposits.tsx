import type { DataOf, ItemOf } from "../../data/calls.ts";
import { amountOf } from "../../data/amount.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { act, Actions, simulate } from "../../parts/dialog/actions.tsx";
import { choicesOf } from "../../parts/fields/field-input.tsx";
import { Below, Lines, useLatest } from "../../parts/list/lines.tsx";
import { Badge, CopyableId, Money, Time } from "../../parts/shown/values.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";

type Options = { wallet: DataOf<"getWallet"> };

/** The deposit addresses of the wallet, and its deposits. Only currencies with a network have them. */
export function Deposits({ wallet }: Options) {
  const networks = useCall({ operationId: "listNetworks" });
  const isOfOne = networks.data?.data.some(({ currency }) => currency === wallet.currency);
  return isOfOne ? <DepositsOf wallet={wallet} /> : <FailedPart of={networks} />;
}

function DepositsOf({ wallet: { id, currency, status } }: Options) {
  const addresses = useLatest({ operationId: "listDepositAddresses", query: { walletId: id } }, 10);
  const deposits = useLatest({ operationId: "listDeposits", query: { walletId: id } }, 10);
  const unavailable = status === "active" ? null : `It is ${status}.`;
  return (
    <Below title="Deposits">
      <Actions
        small
        of={[
          act("createDepositAddress", {
            ...{ do: "address", label: "New address", unavailable },
            ...{ title: "Get a deposit address", submit: "Get the address", done: "The address is created." },
            bodyOf: () => ({ walletId: id }),
            text: `Money that is sent to it in ${currency} arrives in this wallet, any number of times.`,
          }),
          act("simulateDeposit", {
            ...{ do: "deposit", label: "Simulate a deposit", unavailable },
            ...{ title: "Simulate a deposit", submit: "Simulate", done: "Its network has seen it." },
            fields: [{ name: "amount", label: `Amount in ${currency}`, kind: "text", placeholder: "0.5" }],
            bodyOf: ({ amount }) => ({ walletId: id, amount: amountOf(amount, currency) }),
          }),
        ]}
      />
      <Lines of={addresses} label="Deposit addresses">
        {({ id: addressId, address, network }) => (
          <li key={addressId}>
            <CopyableId id={address} />
            <span className="faint">{network}</span>
          </li>
        )}
      </Lines>
      <Lines of={deposits} label="Deposits">
        {(deposit) => <DepositLine key={deposit.id} deposit={deposit} />}
      </Lines>
    </Below>
  );
}

function DepositLine({ deposit }: { deposit: ItemOf<"listDeposits"> }) {
  const { id, amount, currency, status, confirmations, requiredConfirmations, createdAt } = deposit;
  return (
    <li>
      <Money amount={amount} currency={currency} />
      <span className="faint">
        <Time at={createdAt} /> · {confirmations} of {requiredConfirmations} confirmations
      </span>
      <Badge state={status} />
      <Actions
        small
        suffix={` ${id}`}
        of={[
          simulate("simulateDepositOutcome", {
            ...{ label: "Simulate the end", title: "Simulate the end of the deposit", id },
            unavailable: whyNotIn("CustodyDeposit", status, "confirm"),
            ...{ asks: "Its network", outcomes: choicesOf({ confirmed: "confirms it", orphaned: "drops it" }) },
            done: "The simulated outcome was recorded.",
          }),
        ]}
      />
    </li>
  );
}
