import { useState } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Countdown } from "../../parts/countdown.tsx";
import { CopyableId } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Detail, ListScreen } from "../../parts/list-screen.tsx";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { Empty } from "../../parts/states.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { useDo } from "../../parts/use-do.ts";
import { Who } from "../../parts/who.tsx";
import { useCallsOf } from "./calls-of-keys.ts";
import { CreateKey, RevokeKey, RollKey } from "./dialogs.tsx";
import { RefusedCalls, StillUsed } from "./still-used.tsx";

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
        above={<StillUsed />}
        actions={<CreateButton onClick={() => setWhat("create")} />}
        columns={[
          { label: "Name", slot: "title", cell: ({ name }) => name },
          { label: "Permission", slot: "meta", cell: ({ permission }) => <Badge state={permission} tone="plain" /> },
          { label: "Key", slot: "wide", cell: ({ hint }) => <code>{hint}</code> },
          { label: "Age", slot: "meta", cell: (key) => <Age apiKey={key} /> },
          {
            label: "Last used",
            slot: "wide",
            cell: ({ lastUsedAt, lastUsedFrom }) => (
              <span className="two-lines">
                <Ago at={lastUsedAt} />
                {lastUsedFrom?.address && <small>{lastUsedFrom.address}</small>}
              </span>
            ),
          },
          { label: "Calls in 24 h", slot: "wide", isNumber: true, cell: ({ id }) => <CallsIn24Hours id={id} /> },
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

/** How old it is; from the day on which it is due (`rollDueAt`) it asks to be rolled. */
function Age({ apiKey: { createdAt, status, rollDueAt, replacedBy } }: { apiKey: ApiKey }) {
  const days = Math.floor((Date.now() - Date.parse(createdAt)) / 86_400_000);
  const isDue = status === "active" && replacedBy === null && Date.parse(rollDueAt) <= Date.now();
  return (
    <span>
      {days} d{isDue && <Badge state="roll" tone="wait" />}
    </span>
  );
}

function CallsIn24Hours({ id }: { id: string }) {
  const calls = useCallsOf(id);
  return calls === null ? <span className="faint">–</span> : calls.toLocaleString("en");
}

type PaneOptions = {
  apiKey: ApiKey;
  what: string | undefined;
  setWhat(what: string | undefined): void;
  setMade(made: Made): void;
};

function KeyPane({ apiKey, what, setWhat, setMade }: PaneOptions) {
  const { id, name, permission, hint, status, createdAt, expiresAt, revokedAt, replacedBy, createdBy } = apiKey;
  const { lastUsedAt, lastUsedFrom, rollDueAt } = apiKey;
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
          ["From", <Origin key="from" from={lastUsedFrom} />],
          ["Calls in 24 h", <CallsIn24Hours key="calls" id={id} />],
          status === "active" && !isRolled ? ["Roll it by", <Time key="due" at={rollDueAt} />] : null,
          ["Created", <Time key="created" at={createdAt} />],
          ["Created by", <Who key="who" who={createdBy} />],
          expiresAt === null ? ["Expires", "never"] : ["Expires", <Ago key="expires" at={expiresAt} />],
          revokedAt === null ? null : ["Revoked", <Time key="revoked" at={revokedAt} />],
          isRolled ? ["Replaced by", <CopyableId key="successor" id={replacedBy} />] : null,
        ]}
      />
      {isRolled && status === "active" && (
        <p className="note">
          Both keys work until <Time at={expiresAt} />
          {expiresAt !== null && (
            <>
              : <Countdown until={expiresAt} />
            </>
          )}
          . {lastUsedAt === null ? "The old key was never used." : <OldKeyUsed at={lastUsedAt} />}
        </p>
      )}
      {status !== "active" && <RefusedCalls apiKey={apiKey} />}
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

function OldKeyUsed({ at }: { at: string }) {
  return (
    <>
      Old key used <Ago at={at} />: move what still uses it.
    </>
  );
}

/** Anybody can call themselves anything: it is text, and its direction stays its own. */
function Origin({ from }: { from: ApiKey["lastUsedFrom"] }) {
  return from === null ? null : (
    <span>
      {from.address !== null && <code>{from.address}</code>} {from.userAgent !== null && <bdi>{from.userAgent}</bdi>}
    </span>
  );
}
