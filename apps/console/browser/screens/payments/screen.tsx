import type { DataOf } from "../../data/calls.ts";
import { stateChoices, whyNotIn } from "../../data/state-machines.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Name, NameLink, useNameChoices } from "../../parts/names/names.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { CreatePayment } from "./create-payment.tsx";

type Payment = DataOf<"getPayment">;

export function PaymentsScreen() {
  const [what, setWhat] = useDo();
  const wallets = useNameChoices("wallet");
  const create = (
    <ActionButton operationId="createPayment" kind="primary" onClick={() => setWhat("create")}>
      Make a payment
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="Payments"
        operationId="listPayments"
        query={({ walletId, status, externalId, range }) => ({
          walletId,
          status,
          externalId,
          createdAfter: sinceOf(range),
        })}
        filters={[
          { name: "status", label: "State", choices: stateChoices("Payment") },
          { name: "range", label: "Created", choices: ranges },
          { name: "walletId", label: "Wallet", choices: wallets },
          { name: "externalId", label: "External id" },
        ]}
        idOf={({ id }) => id}
        actions={create}
        columns={[
          {
            label: "To",
            slot: "title",
            cell: ({ destination }) => <Payee destination={destination} />,
          },
          { label: "From", slot: "wide", cell: ({ walletId }) => <Name noun="wallet" id={walletId} /> },
          { label: "Rail", slot: "wide", cell: ({ rail }) => rail.replaceAll("_", " ") },
          { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: "State", slot: "meta", cell: ({ status }) => <Badge state={status} /> },
          {
            label: "Amount",
            slot: "end",
            isNumber: true,
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
        ]}
        empty={
          <Empty title="No payments yet" action={create}>
            A payment goes from a wallet to a counterparty at a bank, or to another wallet.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getPayment", path: { paymentId: id } }}>
            {(payment) => <PaymentPane payment={payment} />}
          </Detail>
        )}
      />
      {what === "create" && <CreatePayment />}
    </>
  );
}

/** Whom the money goes to: a counterparty, or another wallet. */
function Payee({ destination, isLink = false }: { destination: Payment["destination"]; isLink?: boolean }) {
  const { counterpartyId, walletId = "" } = destination;
  const Shown = isLink ? NameLink : Name;
  return counterpartyId === undefined ? (
    <Shown noun="wallet" id={walletId} />
  ) : (
    <Shown noun="counterparty" id={counterpartyId} />
  );
}

/** What its rail may tell next, which is nothing of one that has failed. */
function outcomesIn(status: Payment["status"]): { value: string; label: string; hint?: string }[] {
  return status === "settled"
    ? [{ value: "returned", label: "Returned", hint: "The money comes back." }]
    : [
        { value: "settled", label: "Settled" },
        { value: "failed", label: "Failed" },
      ];
}

function PaymentPane({ payment }: { payment: Payment }) {
  const [what, setWhat] = useDo();
  const { environment } = useSession();
  const { id, walletId, amount, currency, destination, rail, fee, status, failureCode, failureReason, returnedAmount } =
    payment;
  const { externalId, metadata, createdAt, submittedAt, settledAt, failedAt } = payment;
  const close = (): void => setWhat(undefined);
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      <div className="actions">
        <ActionButton
          operationId="cancelPayment"
          kind="danger"
          onClick={() => setWhat("cancel")}
          unavailable={whyNotIn("Payment", status, "cancel")}
        >
          Cancel
        </ActionButton>
        {environment === "sandbox" && rail !== "internal" && (
          <ActionButton
            operationId="simulatePayment"
            onClick={() => setWhat("simulate")}
            unavailable={status === "failed" ? "It is failed." : null}
          >
            Simulate the end
          </ActionButton>
        )}
      </div>
      <StateMachineView machine="Payment" state={status} />
      {failureCode !== null && (
        <p className="note bad">
          <code>{failureCode}</code> {failureReason}
        </p>
      )}
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
          submittedAt === null ? null : ["Submitted", <Time key="submitted" at={submittedAt} seconds />],
          settledAt === null ? null : ["Settled", <Time key="settled" at={settledAt} seconds />],
          failedAt === null ? null : ["Failed", <Time key="failed" at={failedAt} seconds />],
        ]}
      />
      {Object.keys(metadata).length > 0 && <JsonView value={metadata} label="Metadata" />}
      {what === "cancel" && (
        <ActionDialog<"cancelPayment">
          title="Cancel the payment"
          submit="Cancel payment"
          isDangerous
          name={id}
          callOf={() => ({ operationId: "cancelPayment", path: { paymentId: id } })}
          done="The payment is canceled."
          onClose={close}
        >
          What is held for it is available again. Once its rail has it, it is too late.
        </ActionDialog>
      )}
      {what === "simulate" && (
        <ActionDialog<"simulatePayment">
          title="Simulate the end"
          fields={[{ name: "outcome", label: "What the rail tells", kind: "radio", choices: outcomesIn(status) }]}
          initial={{ outcome: status === "settled" ? "returned" : "settled" }}
          submit="Simulate"
          callOf={({ outcome }) => ({ operationId: "simulatePayment", path: { paymentId: id }, body: { outcome } })}
          done="The rail has told."
          onClose={close}
        />
      )}
    </>
  );
}
