import { includesPermission, permissionOfRole } from "@gateway/contract/permissions";
import { operations, type OperationRow, type DataOf } from "../../data/calls.ts";
import { ActionButton, act, Actions, type Act } from "../../parts/dialog/actions.tsx";
import { OpenedOperations } from "../../parts/dialog/opened-operations.tsx";
import { addressOf, type Choice } from "../../parts/fields/field-input.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Who } from "../../parts/names/names.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { useDo } from "../../parts/page/address.tsx";
import { Badge, CopyableId, Ago, Time, Facts } from "../../parts/shown/values.tsx";

type Person = DataOf<"getPerson">;

const roles: readonly Choice[] = [
  { value: "viewer", label: "Viewer", hint: "Sees wallets, payments, webhooks and events." },
  { value: "member", label: "Member", hint: "Also moves money and manages webhooks." },
  { value: "owner", label: "Owner", hint: "Also manages keys, people and applications, and decides approvals." },
];

export function PeopleScreen() {
  return (
    <ListScreen
      title="People"
      about="The people of this account and their roles."
      operationId="listPeople"
      create={invite}
      columns={[
        { label: "Name", slot: "title", cell: ({ name, email }) => <bdi>{name ?? email}</bdi> },
        { label: "Address", slot: "wide", cell: ({ email }) => <bdi className="faint">{email}</bdi> },
        { label: "Role", slot: "meta", cell: (person) => <Role person={person} /> },
        { label: "Joined", slot: "meta", cell: ({ joinedAt }) => <Time at={joinedAt} /> },
        { label: "Last seen", slot: "wide", cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
        { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
      ]}
      empty={{ title: "No people yet", text: "Invite those who work with this account." }}
      pane={detailOf("getPerson", PersonPane)}
    />
  );
}

const invite = act("invitePerson", {
  ...{ do: "create", label: "Invite" },
  ...{ title: "Invite somebody", submit: "Send invitation", done: "The invitation is sent." },
  fields: [
    { name: "email", label: "E-mail address", kind: "text", placeholder: "ada@example.com" },
    { name: "role", label: "Role", kind: "radio", choices: roles },
  ],
  initial: { role: "viewer" },
  bodyOf: ({ email, role }) => ({ email: addressOf(email, "Write the e-mail address of the person to invite."), role }),
});

function Role({ person }: { person: Person }) {
  const [what, setWhat] = useDo();
  const name = `role ${person.id}`;
  const { operationId, dialog } = changeRole(person);
  return (
    <>
      <ActionButton operationId={operationId} small onClick={() => setWhat(name)}>
        {person.role}
        <span aria-hidden="true"> ▾</span>
        <span className="unseen">change the role of {person.name ?? person.email}</span>
      </ActionButton>
      {what === name && dialog(() => setWhat(undefined))}
    </>
  );
}

function PersonPane({ of: person }: { of: Person }) {
  const session = useSession();
  const { id, name, email, role, status, invitedAt, joinedAt, lastSeenAt, createdBy } = person;
  const isInvited = status === "invited";
  return (
    <>
      <h2>
        <bdi>{name ?? email}</bdi>
      </h2>
      <Actions
        of={[
          changeRole(person),
          act("removePerson", {
            ...{ do: "remove", label: isInvited ? "Withdraw invitation" : "Remove", kind: "danger", id, name: email },
            title: isInvited ? "Withdraw the invitation" : `Remove ${name ?? email}`,
            submit: isInvited ? "Withdraw" : "Remove",
            done: isInvited ? "The invitation is withdrawn." : "They no longer belong to this account.",
            text: (
              <>
                {session.person.id === id
                  ? "You lose access to this account at once. "
                  : "They lose access to this account at once, everywhere. "}
                Keys, applications and webhooks that they made keep working.
              </>
            ),
          }),
        ]}
      />
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
    </>
  );
}

function changeRole({ id, name, email, role }: Person): Act {
  return act("updatePerson", {
    ...{ do: "role", label: "Change role", id },
    ...{ title: `The role of ${name ?? email}`, submit: "Change role" },
    fields: [{ name: "role", label: "Role", kind: "radio", choices: roles }],
    initial: { role },
    // The cast holds because the choices are those of the document.
    preview: ({ role: next = role }) => <Difference from={role} to={next as Person["role"]} />,
    bodyOf: ({ role: next }) => ({ role: next }),
    done: "The role is changed. It applies from the next call.",
  });
}

/** The operations that the change gives and takes, from the table that the gateway enforces. */
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
      <OpenedOperations verb="Gains" label="Gains these operations" rows={gained} />
      <OpenedOperations verb="Loses" label="Loses these operations" rows={lost} />
    </div>
  );
}
