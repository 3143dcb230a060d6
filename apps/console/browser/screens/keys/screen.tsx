import { useState } from "react";
import { type ItemOf, pathOf } from "../../data/calls.ts";
import { Actions } from "../../parts/dialog/actions.tsx";
import { SecretDialog } from "../../parts/dialog/secret-dialog.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Who } from "../../parts/names/names.tsx";
import { Badge, CopyableId, Countdown, Ago, Time, Facts } from "../../parts/shown/values.tsx";
import { actsOf, createKey, useCallsOf } from "./acts.tsx";
import { RefusedCalls, StillUsed } from "./still-used.tsx";

type ApiKey = ItemOf<"listApiKeys">;

/** A key that was just created. Its secret exists only here, until the dialog is closed. */
type Made = { secret: string; title: string };

export function KeysScreen() {
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <ListScreen
        title="API keys"
        about="One key for each program, with the lowest permission that it can work with."
        operationId="listApiKeys"
        above={<StillUsed />}
        create={createKey({ onMade: ({ secret, name }) => setMade({ secret, title: `${name} is ready` }) })}
        columns={[
          { label: "Name", slot: "title", cell: ({ name }) => name },
          { label: "Permission", slot: "meta", cell: ({ permission }) => <Badge state={permission} tone="plain" /> },
          { label: "Key", slot: "wide", cell: ({ hint }) => <code>{hint}</code> },
          { label: "Age", slot: "meta", cell: (key) => <Age apiKey={key} /> },
          { label: "Last used", slot: "wide", cell: (key) => <LastUsed apiKey={key} /> },
          { label: "Calls in 24 h", slot: "wide", isNumber: true, cell: ({ id }) => <CallsIn24Hours id={id} /> },
          { label: "State", slot: "end", cell: (key) => <State apiKey={key} /> },
          { label: "Actions", slot: "act", cell: (key) => <KeyActions apiKey={key} setMade={setMade} small /> },
        ]}
        empty={{
          title: "No API keys yet",
          text: "A key lets a program call the API. It is shown once, when you make it.",
        }}
        pane={(id) => (
          <Detail call={{ operationId: "getApiKey", path: pathOf("getApiKey", id) }}>
            {(key) => <KeyPane apiKey={key} setMade={setMade} />}
          </Detail>
        )}
      />
      {made && (
        <SecretDialog title={made.title} secret={made.secret} onClose={() => setMade(null)}>
          This is the only time that the key is shown. Store it where the program reads its secrets; it is not kept
          here.
        </SecretDialog>
      )}
    </>
  );
}

function LastUsed({ apiKey: { lastUsedAt, lastUsedFrom } }: { apiKey: ApiKey }) {
  return (
    <span className="two-lines">
      <Ago at={lastUsedAt} />
      {lastUsedFrom?.address && <small>{lastUsedFrom.address}</small>}
    </span>
  );
}

function State({ apiKey: { status, replacedBy } }: { apiKey: ApiKey }) {
  return replacedBy !== null && status === "active" ? <Badge state="rolled" tone="wait" /> : <Badge state={status} />;
}

/** The age, next to a bar that is full on the day on which the key is due to be rolled (`rollDueAt`). */
function Age({ apiKey: { createdAt, status, rollDueAt, replacedBy } }: { apiKey: ApiKey }) {
  const ageAt = (ms: number): number => Math.floor((ms - Date.parse(createdAt)) / 86_400_000);
  const [days, dueDays] = [ageAt(Date.now()), ageAt(Date.parse(rollDueAt))];
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

type PaneOptions = { apiKey: ApiKey; setMade(made: Made): void };

function KeyActions({ apiKey, setMade, small = false }: PaneOptions & { small?: boolean }) {
  const { id, name } = apiKey;
  const onMade = ({ secret }: { secret: string }): void => setMade({ secret, title: `The successor of ${name}` });
  const whose = small && <span className="unseen"> {name}</span>;
  return <Actions small={small} suffix={small ? ` ${id}` : ""} of={actsOf(apiKey, { onMade, whose })} />;
}

function KeyPane({ apiKey, setMade }: PaneOptions) {
  const { id, name, status, createdAt, expiresAt, revokedAt, replacedBy, lastUsedAt } = apiKey;
  const isRolled = replacedBy !== null;
  return (
    <>
      <h2>{name}</h2>
      <KeyActions apiKey={apiKey} setMade={setMade} />
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          ["Permission", apiKey.permission],
          ["Key", <code key="hint">{apiKey.hint}</code>],
          ["Id", <CopyableId key="id" id={id} />],
          ["Last used", <Ago key="used" at={lastUsedAt} />],
          ["From", <Origin key="from" from={apiKey.lastUsedFrom} />],
          ["Calls in 24 h", <CallsIn24Hours key="calls" id={id} />],
          status === "active" && !isRolled && ["Roll it by", <Time key="due" at={apiKey.rollDueAt} />],
          ["Created", <Time key="created" at={createdAt} />],
          ["Created by", <Who key="who" who={apiKey.createdBy} />],
          ["Expires", expiresAt === null ? "never" : <Ago key="expires" at={expiresAt} />],
          revokedAt && ["Revoked", <Time key="revoked" at={revokedAt} />],
          isRolled && ["Replaced by", <CopyableId key="successor" id={replacedBy} />],
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

/** The address and the user agent of a call. A program may choose any user agent, so `bdi` isolates its direction. */
function Origin({ from }: { from: ApiKey["lastUsedFrom"] }) {
  return from === null ? null : (
    <span>
      {from.address !== null && <code>{from.address}</code>} {from.userAgent !== null && <bdi>{from.userAgent}</bdi>}
    </span>
  );
}
