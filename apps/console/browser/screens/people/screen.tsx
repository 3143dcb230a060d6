import { includesPermission, permissionOfRole } from "@gateway/contract/permissions";
import { operations } from "../../data/operations.ts";
import type { DataOf } from "../../data/calls.ts";
import type { OperationRow } from "../../data/operation-row.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import type { Choice } from "../../parts/fields/field-input.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Ago, Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { Who } from "../../parts/names/who.tsx";

type Person = DataOf<"getPerson">;

const roles: readonly Choice[] = [
  { value: "viewer", label: "Viewer", hint: "Sees wallets, payments, webhooks and events." },
  { value: "member", label: "Member", hint: "Also moves money and manages webhooks." },
  { value: "owner", label: "Owner", hint: "Also manages keys, people and applications, and decides approvals." },
];

export function PeopleScreen() {
  const [what, setWhat] = useDo();
  const invite = (
    <ActionButton operationId="invitePerson" kind="primary" onClick={() => setWhat("create")}>
      Invite
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="People"
        about="Who belongs to this account, and what their role lets them do."
        operationId="listPeople"
        query={() => ({})}
        idOf={({ id }) => id}
        actions={invite}
        columns={[
          { label: "Name", slot: "title", cell: ({ name, email }) => <bdi>{name ?? email}</bdi> },
          { label: "Address", slot: "wide", cell: ({ email }) => <bdi className="faint">{email}</bdi> },
          {
            label: "Role",
            slot: "meta",
            cell: (person) => (
              <>
                <ActionButton operationId="updatePerson" small onClick={() => setWhat(`role ${person.id}`)}>
                  {person.role}
                  <span aria-hidden="true"> ▾</span>
                  <span className="unseen">change the role of {person.name ?? person.email}</span>
                </ActionButton>
                {what === `role ${person.id}` && <ChangeRole person={person} onClose={() => setWhat(undefined)} />}
              </>
            ),
          },
          { label: "Joined", slot: "meta", cell: ({ joinedAt }) => <Time at={joinedAt} /> },
          { label: "Last seen", slot: "wide", cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
          { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
        ]}
        empty={
          <Empty title="Nobody is here yet" action={invite}>
            Invite those who work with this account.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getPerson", path: { personId: id } }}>
            {(person) => <PersonPane person={person} what={what} setWhat={setWhat} />}
          </Detail>
        )}
      />
      {what === "create" && (
        <ActionDialog<"invitePerson">
          title="Invite somebody"
          fields={[
            { name: "email", label: "E-mail address", kind: "text", placeholder: "ada@example.com" },
            { name: "role", label: "Role", kind: "radio", choices: roles },
          ]}
          initial={{ role: "viewer" }}
          submit="Send invitation"
          callOf={({ email = "", role }) => {
            if (!email.includes("@")) {
              throw new Error("Write the e-mail address of whom to invite.");
            }
            return { operationId: "invitePerson", body: { email: email.trim(), role } };
          }}
          done="The invitation is on its way."
          onClose={() => setWhat(undefined)}
        />
      )}
    </>
  );
}

type PaneOptions = { person: Person; what: string | undefined; setWhat(what: string | undefined): void };

function PersonPane({ person, what, setWhat }: PaneOptions) {
  const session = useSession();
  const { id, name, email, role, status, invitedAt, joinedAt, lastSeenAt, createdBy } = person;
  const isSelf = session.person.id === id;
  return (
    <>
      <h2>
        <bdi>{name ?? email}</bdi>
      </h2>
      <div className="actions">
        <ActionButton operationId="updatePerson" onClick={() => setWhat("role")}>
          Change role
        </ActionButton>
        <ActionButton operationId="removePerson" kind="danger" onClick={() => setWhat("remove")}>
          {status === "invited" ? "Withdraw invitation" : "Remove"}
        </ActionButton>
      </div>
      <Facts
        rows={[
          ["Role", role],
          ["State", <Badge key="state" state={status} />],
          ["Address", <bdi key="email">{email}</bdi>],
          ["Id", <CopyableId key="id" id={id} />],
          ["Invited", <Time key="invited" at={invitedAt} />],
          ["Invited by", <Who key="who" who={createdBy} />],
          ["Joined", <Time key="joined" at={joinedAt} />],
          ["Last seen", <Ago key="seen" at={lastSeenAt} />],
        ]}
      />
      {what === "role" && <ChangeRole person={person} onClose={() => setWhat(undefined)} />}
      {what === "remove" && (
        <ActionDialog<"removePerson">
          title={status === "invited" ? "Withdraw the invitation" : `Remove ${name ?? email}`}
          submit={status === "invited" ? "Withdraw" : "Remove"}
          isDangerous
          name={email}
          callOf={() => ({ operationId: "removePerson", path: { personId: id } })}
          done={status === "invited" ? "The invitation is withdrawn." : "They are out of this account."}
          onClose={() => setWhat(undefined)}
        >
          {isSelf ? "You lose this account at once. " : "They lose this account at once, everywhere. "}
          Keys, applications and webhooks that they made go on.
        </ActionDialog>
      )}
    </>
  );
}

function ChangeRole({ person: { id, name, email, role }, onClose }: { person: Person; onClose(): void }) {
  return (
    <ActionDialog<"updatePerson">
      title={`The role of ${name ?? email}`}
      fields={[{ name: "role", label: "Role", kind: "radio", choices: roles }]}
      initial={{ role }}
      submit="Change role"
      preview={({ role: next = role }) => <Difference from={role} to={next as Person["role"]} />}
      callOf={({ role: next }) => ({ operationId: "updatePerson", path: { personId: id }, body: { role: next } })}
      done="The role is changed. It holds from the next call on."
      onClose={onClose}
    />
  );
}

/** What the change gives and takes, from the table that the gateway enforces. Production has no operations of the sandbox to gain. */
function Difference({ from, to }: { from: Person["role"]; to: Person["role"] }) {
  const { environment } = useSession();
  const opens = (role: Person["role"], { permission }: OperationRow) =>
    includesPermission(permissionOfRole[role], permission);
  const rows = Object.values<OperationRow>(operations).filter(
    ({ sandboxOnly }) => !sandboxOnly || environment === "sandbox",
  );
  const gained = rows.filter((row) => opens(to, row) && !opens(from, row));
  const lost = rows.filter((row) => opens(from, row) && !opens(to, row));
  return (
    <div className="opened">
      {gained.length + lost.length === 0 && <h3>Nothing changes</h3>}
      <ChangedOperations verb="Gains" rows={gained} />
      <ChangedOperations verb="Loses" rows={lost} />
    </div>
  );
}

function ChangedOperations({ verb, rows }: { verb: string; rows: readonly OperationRow[] }) {
  return rows.length === 0 ? null : (
    <>
      <h3>
        {verb} {rows.length} operations
      </h3>
      <div className="opened-list" tabIndex={0} role="region" aria-label={`${verb} these operations`}>
        <ul>
          {rows.map(({ method, path, summary }) => (
            <li key={`${method} ${path}`}>
              <code>{method.toUpperCase()}</code> {summary}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
