import type { DataOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { CreateCounterparty } from "../../parts/dialog/create-counterparty.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useGo } from "../../parts/page/screen-link.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { useUrlState } from "../../parts/page/use-url-state.ts";
import { GivenVerification } from "./given-verification.tsx";

type Counterparty = DataOf<"getCounterparty">;

export function CounterpartiesScreen() {
  const [what, setWhat] = useDo();
  const [, setState] = useUrlState();
  const create = (
    <ActionButton operationId="createCounterparty" kind="primary" onClick={() => setWhat("create")}>
      Add a counterparty
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="Counterparties"
        about="Whom payments go to, with their accounts at a bank."
        operationId="listCounterparties"
        query={({ externalId, range }) => ({ externalId, createdAfter: sinceOf(range) })}
        filters={[
          { name: "range", label: "Created", choices: ranges },
          { name: "externalId", label: "External id" },
        ]}
        idOf={({ id }) => id}
        actions={create}
        columns={[
          { label: "Name", slot: "title", cell: ({ name }) => <bdi>{name}</bdi> },
          { label: "Account", slot: "meta", cell: (counterparty) => <BankAccount of={counterparty} /> },
          {
            label: "Verification",
            slot: "wide",
            cell: ({ kycVerificationId }) => (kycVerificationId === null ? "" : "given"),
          },
          { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: "State", slot: "end", cell: (counterparty) => <Badge state={stateOf(counterparty)} /> },
        ]}
        empty={
          <Empty title="No counterparties yet" action={create}>
            A counterparty is a person or a company that you pay: a name and an account at a bank.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getCounterparty", path: { counterpartyId: id } }}>
            {(counterparty) => <CounterpartyPane counterparty={counterparty} what={what} setWhat={setWhat} />}
          </Detail>
        )}
      />
      {what === "create" && (
        <CreateCounterparty
          onDone={({ id }) => setState({ do: undefined, open: id })}
          onClose={() => setWhat(undefined)}
        />
      )}
    </>
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

type PaneOptions = { counterparty: Counterparty; what: string | undefined; setWhat(what: string | undefined): void };

function CounterpartyPane({ counterparty, what, setWhat }: PaneOptions) {
  const go = useGo();
  const { id, name, externalId, metadata, archivedAt, createdAt, kycVerificationId } = counterparty;
  const unavailable = archivedAt === null ? null : "It is archived.";
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <div className="actions">
        <ActionButton
          operationId="createPayment"
          kind="primary"
          onClick={() => go({ to: "/payments", search: { do: "create", to: id } })}
          unavailable={unavailable}
        >
          Pay
        </ActionButton>
        <ActionButton
          operationId="deleteCounterparty"
          kind="danger"
          onClick={() => setWhat("archive")}
          unavailable={unavailable}
        >
          Archive
        </ActionButton>
      </div>
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
      {Object.keys(metadata).length > 0 && <JsonView value={metadata} label="Metadata" />}
      {what === "archive" && (
        <ActionDialog<"deleteCounterparty">
          title={`Archive ${name}`}
          submit="Archive"
          isDangerous
          name={name}
          callOf={() => ({ operationId: "deleteCounterparty", path: { counterpartyId: id } })}
          done="The counterparty is archived."
          onClose={() => setWhat(undefined)}
        >
          Nothing can be paid to it any more, and this cannot be undone. It stays in lists, and past payments name it.
        </ActionDialog>
      )}
    </>
  );
}
