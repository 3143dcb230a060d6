import type { DataOf } from "../../data/calls.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { act, Actions, simulate } from "../../parts/dialog/actions.tsx";
import { choicesOf, type Choice } from "../../parts/fields/field-input.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { stateFilter } from "../../parts/fields/state-filter.ts";
import { amountColumn } from "../../parts/list/columns.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Name, NameLink, useNameChoices } from "../../parts/names/names.tsx";
import { Badge, CopyableId, Money, Time, Facts } from "../../parts/shown/values.tsx";
import { Metadata } from "../../parts/shown/code-block.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { RefusalNote } from "../../parts/shown/states.tsx";
import { CreatePayment } from "./create-payment.tsx";

type Payment = DataOf<"getPayment">;

export function PaymentsScreen() {
  const wallets = useNameChoices("wallet");
  return (
    <ListScreen
      title="Payments"
      operationId="listPayments"
      filters={[
        stateFilter("Payment"),
        rangeFilter(),
        { name: "walletId", label: "Wallet", choices: wallets },
        externalIdFilter,
      ]}
      create={{ operationId: "createPayment", label: "Make a payment", dialog: () => <CreatePayment /> }}
      columns={[
        { label: "To", slot: "title", cell: ({ destination }) => <Payee destination={destination} /> },
        { label: "From", slot: "wide", cell: ({ walletId }) => <Name noun="wallet" id={walletId} /> },
        { label: "Rail", slot: "wide", cell: ({ rail }) => rail.replaceAll("_", " ") },
        { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "meta", cell: ({ status }) => <Badge state={status} /> },
        amountColumn,
      ]}
      empty={{
        title: "No payments yet",
        text: "A payment goes from a wallet to a counterparty at a bank, or to another wallet.",
      }}
      pane={detailOf("getPayment", PaymentPane)}
    />
  );
}

function Payee({ destination, isLink = false }: { destination: Payment["destination"]; isLink?: boolean }) {
  const { counterpartyId, walletId = "" } = destination;
  const Shown = isLink ? NameLink : Name;
  return counterpartyId === undefined ? (
    <Shown noun="wallet" id={walletId} />
  ) : (
    <Shown noun="counterparty" id={counterpartyId} />
  );
}

/** The outcomes that the rail may report next. It reports none for a failed payment. */
function outcomesIn(status: Payment["status"]): readonly Choice[] {
  return status === "settled"
    ? [{ value: "returned", label: "Returned", hint: "The money comes back." }]
    : choicesOf({ settled: "Settled", failed: "Failed" });
}

function PaymentPane({ of: payment }: { of: Payment }) {
  const { id, walletId, amount, currency, destination, rail, fee, status, returnedAmount } = payment;
  const { externalId, metadata, createdAt, submittedAt, settledAt, failedAt } = payment;
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      <Actions
        of={[
          act("cancelPayment", {
            ...{ do: "cancel", label: "Cancel", kind: "danger", id, name: id },
            unavailable: whyNotIn("Payment", status, "cancel"),
            ...{ title: "Cancel the payment", submit: "Cancel payment", done: "The payment is canceled." },
            text: "The held money is available again. Once its rail has it, it is too late.",
          }),
          rail !== "internal" &&
            simulate("simulatePayment", {
              ...{ label: "Simulate the end", id, unavailable: status === "failed" ? "It is failed." : null },
              ...{
                asks: "Outcome of the rail",
                outcomes: outcomesIn(status),
                done: "The simulated outcome was recorded.",
              },
            }),
        ]}
      />
      <StateMachineView machine="Payment" state={status} />
      <RefusalNote code={payment.failureCode} reason={payment.failureReason} />
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          ["To", <Payee key="to" destination={destination} isLink />],
          ["From", <NameLink key="from" noun="wallet" id={walletId} />],
          ["Rail", rail.replaceAll("_", " ")],
          ["Fee", <Money key="fee" amount={fee} currency={currency} />],
          returnedAmount === 0
            ? null
            : ["Returned", <Money key="returned" amount={returnedAmount} currency={currency} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} seconds />],
          submittedAt && ["Submitted", <Time key="submitted" at={submittedAt} seconds />],
          settledAt && ["Settled", <Time key="settled" at={settledAt} seconds />],
          failedAt && ["Failed", <Time key="failed" at={failedAt} seconds />],
        ]}
      />
      <Metadata of={metadata} />
    </>
  );
}
