import { useState } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { Countdown } from "../../parts/shown/countdown.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { SecretDialog } from "../../parts/dialog/secret-dialog.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Ago, Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { Who } from "../../parts/names/who.tsx";
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
          {
            label: "Actions",
            slot: "act",
            cell: (key) => (
              <KeyActions apiKey={key} what={what} setWhat={setWhat} setMade={setMade} of={` ${key.id}`} small />
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

/** How old it is, beside a bar that is full on the day on which it is due (`rollDueAt`): from then on it asks to be rolled. */
function Age({ apiKey: { createdAt, status, rollDueAt, replacedBy } }: { apiKey: ApiKey }) {
  const [days, dueDays] = [Date.now(), Date.parse(rollDueAt)].map((ms) =>
    Math.floor((ms - Date.parse(createdAt)) / 86_400_000),
  ) as [number, number];
  const isGood = status === "active" && replacedBy === null;
  return (
    <span className="age">
      {isGood && (
        <meter
          className="tile-bar"
          max={dueDays}
          high={dueDays - 1}
          optimum={0}
          value={days}
          aria-label={`${days} of ${dueDays} days`}
        />
      )}
      {days} d{isGood && days >= dueDays && <Badge state="roll" tone="wait" />}
    </span>
  );
}

function CallsIn24Hours({ id }: { id: string }) {
  const calls = useCallsOf(id);
  return calls === null ? <span className="faint">–</span> : calls.toLocaleString("en");
}

type ActionOptions = {
  apiKey: ApiKey;
  what: string | undefined;
  setWhat(what: string | undefined): void;
  setMade(made: Made): void;
  /** Behind what the address calls the dialog: the same key may have its buttons in its row and beside the list. */
  of?: string;
  small?: boolean;
};

/** Roll and Revoke, and their dialogs. */
function KeyActions({ apiKey, what, setWhat, setMade, of = "", small = false }: ActionOptions) {
  const { name, status, replacedBy } = apiKey;
  const close = (): void => setWhat(undefined);
  const whose = small && <span className="unseen"> {name}</span>;
  return (
    <div className="actions">
      <ActionButton
        operationId="rollApiKey"
        small={small}
        onClick={() => setWhat(`roll${of}`)}
        unavailable={status !== "active" ? `It is ${status}.` : replacedBy !== null ? "It is rolled already." : null}
      >
        Roll{whose}
      </ActionButton>
      <ActionButton
        operationId="revokeApiKey"
        kind="danger"
        small={small}
        onClick={() => setWhat(`revoke${of}`)}
        unavailable={status === "active" ? null : `It is ${status}.`}
      >
        Revoke{whose}
      </ActionButton>
      {what === `roll${of}` && (
        <RollKey
          apiKey={apiKey}
          onClose={close}
          onMade={({ secret }) => setMade({ secret, title: `The successor of ${name}` })}
        />
      )}
      {what === `revoke${of}` && <RevokeKey apiKey={apiKey} onClose={close} />}
    </div>
  );
}

function KeyPane(options: ActionOptions) {
  const { apiKey } = options;
  const { id, name, permission, hint, status, createdAt, expiresAt, revokedAt, replacedBy, createdBy } = apiKey;
  const { lastUsedAt, lastUsedFrom, rollDueAt } = apiKey;
  const isRolled = replacedBy !== null;
  return (
    <>
      <h2>{name}</h2>
      <KeyActions {...options} />
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
