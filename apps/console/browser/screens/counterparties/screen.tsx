import type { DataOf } from "../../data/calls.ts";
import { act, Actions } from "../../parts/dialog/actions.tsx";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { CreateCounterparty } from "../../parts/dialog/create-counterparty.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { useGo } from "../../parts/page/screen-link.tsx";
import { useUrlState } from "../../parts/page/use-url-state.ts";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { Metadata } from "../../parts/shown/json-view.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { GivenVerification } from "./given-verification.tsx";

type Counterparty = DataOf<"getCounterparty">;

export function CounterpartiesScreen() {
  const [, setState] = useUrlState();
  return (
    <ListScreen
      title="Counterparties"
      about="The receivers of payments, with their bank accounts."
      operationId="listCounterparties"
      filters={[rangeFilter(), externalIdFilter]}
      create={{
        ...{ operationId: "createCounterparty", label: "Add a counterparty" },
        dialog: (close) => (
          <CreateCounterparty onDone={({ id }) => setState({ do: undefined, open: id })} onClose={close} />
        ),
      }}
      columns={[
        { label: "Name", slot: "title", cell: ({ name }) => <bdi>{name}</bdi> },
        { label: "Account", slot: "meta", cell: (counterparty) => <BankAccount of={counterparty} /> },
        { label: "Verification", slot: "wide", cell: ({ kycVerificationId }) => kycVerificationId && "given" },
        { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "end", cell: (counterparty) => <Badge state={stateOf(counterparty)} /> },
      ]}
      empty={{
        title: "No counterparties yet",
        text: "A counterparty is a person or a company that you pay: a name and an account at a bank.",
      }}
      pane={detailOf("getCounterparty", CounterpartyPane)}
    />
  );
}

function stateOf({ archivedAt }: Pick<Counterparty, "archivedAt">): string {
  return archivedAt === null ? "active" : "archived";
}

function BankAccount({ of: { currency, accountNumberLast4 } }: { of: Counterparty }) {
  return (
    <span className="number">
      {currency} <code>…{accountNumberLast4}</code>
    </span>
  );
}

function CounterpartyPane({ of: counterparty }: { of: Counterparty }) {
  const go = useGo();
  const { id, name, externalId, metadata, archivedAt, createdAt, kycVerificationId } = counterparty;
  const unavailable = archivedAt === null ? null : "It is archived.";
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <Actions
        before={
          <ActionButton
            operationId="createPayment"
            kind="primary"
            onClick={() => go({ to: "/payments", search: { do: "create", to: id } })}
            unavailable={unavailable}
          >
            Pay
          </ActionButton>
        }
        of={[
          act("deleteCounterparty", {
            ...{ do: "archive", label: "Archive", kind: "danger", id, name, unavailable },
            ...{ title: `Archive ${name}`, submit: "Archive", done: "The counterparty is archived." },
            text: (
              <>It can no longer be paid, and this cannot be undone. It stays in lists, and past payments name it.</>
            ),
          }),
        ]}
      />
      <Facts
        rows={[
          ["State", <Badge key="state" state={stateOf(counterparty)} />],
          ["Account", <BankAccount key="account" of={counterparty} />],
          ["Verification", <GivenVerification key="verification" id={kycVerificationId} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} seconds />],
          archivedAt === null ? null : ["Archived", <Time key="archived" at={archivedAt} seconds />],
        ]}
      />
      <Metadata of={metadata} />
    </>
  );
}
