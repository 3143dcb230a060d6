import { useState } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CopyableId } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Detail, ListScreen } from "../../parts/list-screen.tsx";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { Empty } from "../../parts/states.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { useDo } from "../../parts/use-do.ts";
import { Who } from "../../parts/who.tsx";
import { CreateKey, RevokeKey, RollKey } from "./dialogs.tsx";

type ApiKey = ItemOf<"listApiKeys">;

/** What was just made: its secret is here and nowhere else, until the dialog is left. */
type Made = { secret: string; title: string };

export function KeysScreen() {
  const [what, setWhat] = useDo();
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <ListScreen
        title="API keys"
        about="One key for each program, with the lowest permission that it can work with."
        operationId="listApiKeys"
        query={() => ({})}
        idOf={({ id }) => id}
        actions={<CreateButton onClick={() => setWhat("create")} />}
        columns={[
          { label: "Name", slot: "title", cell: ({ name }) => name },
          { label: "Permission", slot: "meta", cell: ({ permission }) => <Badge state={permission} tone="plain" /> },
          { label: "Key", slot: "wide", cell: ({ hint }) => <code>{hint}</code> },
          { label: "Age", slot: "meta", cell: (key) => <Age apiKey={key} /> },
          { label: "Last used", slot: "wide", cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
          {
            label: "State",
            slot: "end",
            cell: ({ status, replacedBy }) => (
              <Badge
                state={replacedBy !== null && status === "active" ? "rolled" : status}
                tone={replacedBy !== null && status === "active" ? "wait" : undefined}
              />
            ),
          },
        ]}
        empty={
          <Empty title="No API keys yet" action={<CreateButton onClick={() => setWhat("create")} />}>
            A key lets a program call the API. It is shown once, when you make it.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getApiKey", path: { apiKeyId: id } }}>
            {(key) => <KeyPane apiKey={key} setWhat={setWhat} what={what} setMade={setMade} />}
          </Detail>
        )}
      />
      {what === "create" && (
        <CreateKey
          onClose={() => setWhat(undefined)}
          onMade={({ secret, name }) => setMade({ secret, title: `${name} is ready` })}
        />
      )}
      {made && (
        <SecretDialog title={made.title} secret={made.secret} onClose={() => setMade(null)}>
          This is the only time that the key is shown. Store it where the program reads its secrets; it is kept nowhere
          here.
        </SecretDialog>
      )}
    </>
  );
}

function CreateButton({ onClick }: { onClick(): void }) {
  return (
    <ActionButton operationId="createApiKey" kind="primary" onClick={onClick}>
      Create key
    </ActionButton>
  );
}

const rollAfterDays = 90;

/** Keys are rolled every 90 days: older ones say so. */
function Age({ apiKey: { createdAt, status } }: { apiKey: ApiKey }) {
  const days = Math.floor((Date.now() - Date.parse(createdAt)) / 86_400_000);
  return (
    <span>
      {days} d{status === "active" && days >= rollAfterDays && <Badge state="roll" tone="wait" />}
    </span>
  );
}

type PaneOptions = {
  apiKey: ApiKey;
  what: string | undefined;
  setWhat(what: string | undefined): void;
  setMade(made: Made): void;
};

function KeyPane({ apiKey, what, setWhat, setMade }: PaneOptions) {
  const { id, name, permission, hint, status, createdAt, expiresAt, revokedAt, replacedBy, lastUsedAt, createdBy } =
    apiKey;
  const isRolled = replacedBy !== null;
  const close = (): void => setWhat(undefined);
  return (
    <>
      <h2>{name}</h2>
      <div className="actions">
        <ActionButton
          operationId="rollApiKey"
          onClick={() => setWhat("roll")}
          unavailable={status !== "active" ? `It is ${status}.` : isRolled ? "It is rolled already." : null}
        >
          Roll
        </ActionButton>
        <ActionButton
          operationId="revokeApiKey"
          kind="danger"
          onClick={() => setWhat("revoke")}
          unavailable={status === "active" ? null : `It is ${status}.`}
        >
          Revoke
        </ActionButton>
      </div>
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          ["Permission", permission],
          ["Key", <code key="hint">{hint}</code>],
          ["Id", <CopyableId key="id" id={id} />],
          ["Last used", <Ago key="used" at={lastUsedAt} />],
          ["Created", <Time key="created" at={createdAt} />],
          ["Created by", <Who key="who" who={createdBy} />],
          expiresAt === null ? ["Expires", "never"] : ["Expires", <Ago key="expires" at={expiresAt} />],
          revokedAt === null ? null : ["Revoked", <Time key="revoked" at={revokedAt} />],
          isRolled ? ["Replaced by", <CopyableId key="successor" id={replacedBy} />] : null,
        ]}
      />
      {isRolled && status === "active" && (
        <p className="note">
          Both keys work until <Time at={expiresAt} />. The old one was used <Ago at={lastUsedAt} />: move what still
          uses it.
        </p>
      )}
      {what === "roll" && (
        <RollKey
          apiKey={apiKey}
          onClose={close}
          onMade={({ secret }) => setMade({ secret, title: `The successor of ${name}` })}
        />
      )}
      {what === "revoke" && <RevokeKey apiKey={apiKey} onClose={close} />}
    </>
  );
}
