import type { DataOf } from "../../data/calls.ts";
import { act, Actions, ActionButton } from "../../parts/dialog/actions.tsx";
import { CreateCounterparty } from "../../parts/dialog/create-counterparty.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { useGo, useUrlState } from "../../parts/page/address.tsx";
import { Badge, CopyableId, Time, IdLink, Facts } from "../../parts/shown/values.tsx";
import { Metadata } from "../../parts/shown/code-block.tsx";
import { verificationCaveat } from "../../data/counterparties.ts";
import { FailedPart } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";

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

/** The verification that a counterparty was given, as it stands now: its name there, and until when it counts. */
function GivenVerification({ id }: { id: string | null }) {
  const asked = useCall(
    { operationId: "getKycVerification", path: { kycVerificationId: id ?? "" } },
    { isWanted: id !== null },
  );
  if (id === null) {
    return <span>none. Larger payments need one: choose it when you add a counterparty</span>;
  }
  const { reference, status, validUntil } = asked.data?.data ?? {};
  return (
    <>
      <IdLink
        to="/inbox"
        open={id}
        search={{ queue: "kyc", status: "all" }}
        text={reference && <bdi>{reference}</bdi>}
      />{" "}
      {status !== undefined && <Badge state={status} />}
      {validUntil && (
        <span className="faint">
          {" "}
          until <Time at={validUntil} />
        </span>
      )}
      <p className="hint">{verificationCaveat.ofGiven}</p>
      <FailedPart of={asked} />
    </>
  );
}
