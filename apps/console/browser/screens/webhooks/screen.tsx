import { lazy, Suspense, useState } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { afterAttemptMs } from "../../data/pace.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { Countdown } from "../../parts/shown/countdown.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { SecretDialog } from "../../parts/dialog/secret-dialog.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { Empty, FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useDo } from "../../parts/page/use-do.ts";
import { useUrlState } from "../../parts/page/use-url-state.ts";
import { Who } from "../../parts/names/who.tsx";
import {
  CreateWebhook,
  DeleteWebhook,
  DisableWebhook,
  EditWebhook,
  EnableWebhook,
  Replay,
  RollSecret,
  SendTest,
} from "./dialogs.tsx";
import { HealthInShort, HealthSection } from "./health.tsx";

/** With the verifier that receivers use, so it is fetched when somebody wants it. */
const SignatureChecker = lazy(() =>
  import("./signature-checker.tsx").then(({ SignatureChecker: component }) => ({ default: component })),
);

type Webhook = ItemOf<"listWebhooks">;
/** `testId`: of the webhook that is tried out as soon as its secret is stored. */
type Made = { secret: string; title: string; testId?: string };

export function WebhooksScreen() {
  const [what, setWhat] = useDo();
  const [made, setMade] = useState<Made | null>(null);
  const { environment, addresses } = useSession();
  const [, setState] = useUrlState();
  const close = (): void => setWhat(undefined);
  const leaveSecret = (): void => {
    setMade(null);
    if (made?.testId !== undefined) {
      setState({ open: made.testId, do: "test" });
    }
  };
  return (
    <>
      <ListScreen
        title="Webhooks"
        about="Where events of this account are sent, signed and tried again for 15 hours."
        operationId="listWebhooks"
        query={() => ({})}
        idOf={({ id }) => id}
        actions={
          <>
            <button type="button" className="button" onClick={() => setWhat("signature")}>
              Check a signature
            </button>
            <AddButton onClick={() => setWhat("create")} />
          </>
        }
        columns={[
          {
            label: "Address",
            slot: "title",
            cell: ({ url, description }) => <Address url={url} description={description} />,
          },
          {
            label: "Events",
            slot: "meta",
            cell: ({ events }) => (events.length === 1 ? events[0] : `${events.length} types`),
          },
          {
            label: "Delivered in 24 h",
            slot: "meta",
            cell: ({ id, status }) => <HealthInShort webhookId={id} status={status} />,
          },
          { label: "Created", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
        ]}
        empty={
          <Empty title="No webhooks yet" action={<AddButton onClick={() => setWhat("create")} />}>
            Add the address of a server, and it hears of payments, deposits and verifications as they happen.
            {environment === "sandbox" && <OwnMachine receiver={addresses.receiver} />}
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getWebhook", path: { webhookId: id } }}>
            {(webhook) => <WebhookPane webhook={webhook} what={what} setWhat={setWhat} setMade={setMade} />}
          </Detail>
        )}
      />
      {what === "create" && (
        <CreateWebhook
          onClose={close}
          onMade={({ id, secret }) => setMade({ secret, title: "The webhook is ready", testId: id })}
        />
      )}
      {what === "signature" && (
        <Suspense>
          <SignatureChecker onClose={close} />
        </Suspense>
      )}
      {made && (
        <SecretDialog title={made.title} secret={made.secret} onClose={leaveSecret}>
          Your server verifies with this secret that a delivery is from us. It is shown this once.
          {made.testId !== undefined && " Store it there: next is a test event."}
        </SecretDialog>
      )}
    </>
  );
}

function OwnMachine({ receiver }: { receiver: string | null }) {
  return receiver === null ? (
    <>
      {" "}
      On your own machine, <code>npm start</code> prints the address of a receiver that shows what comes in.
    </>
  ) : (
    <>
      {" "}
      On this machine a receiver listens that prints what comes in: <CopyableId id={receiver} />
    </>
  );
}

function AddButton({ onClick }: { onClick(): void }) {
  return (
    <ActionButton operationId="createWebhook" kind="primary" onClick={onClick}>
      Add webhook
    </ActionButton>
  );
}

function Address({ url, description }: { url: string; description: string | null }) {
  return (
    <span className="two-lines">
      <bdi>{description ?? url.replace(/^https:\/\//, "")}</bdi>
      {description !== null && <small>{url.replace(/^https:\/\//, "")}</small>}
    </span>
  );
}

type PaneOptions = {
  webhook: Webhook;
  what: string | undefined;
  setWhat(what: string | undefined): void;
  setMade(made: Made): void;
};

function WebhookPane({ webhook, what, setWhat, setMade }: PaneOptions) {
  const { id, url, description, events, status, statusChangedAt, secretOverlapEndsAt, createdAt, createdBy } = webhook;
  const close = (): void => setWhat(undefined);
  const isEnabled = status === "enabled";
  return (
    <>
      <h2>
        <bdi>{description ?? new URL(url).host}</bdi>
      </h2>
      <div className="actions">
        <ActionButton
          operationId="sendTestEvent"
          kind="primary"
          onClick={() => setWhat("test")}
          unavailable={isEnabled ? null : `It is ${status}.`}
        >
          Send test event
        </ActionButton>
        <ActionButton
          operationId="replayDeliveries"
          onClick={() => setWhat("replay")}
          unavailable={isEnabled ? null : `It is ${status}.`}
        >
          Replay
        </ActionButton>
        <ActionButton operationId="updateWebhook" onClick={() => setWhat("edit")}>
          Edit
        </ActionButton>
        <ActionButton operationId="rollWebhookSecret" onClick={() => setWhat("roll")}>
          Roll secret
        </ActionButton>
        {isEnabled ? (
          <ActionButton operationId="disableWebhook" onClick={() => setWhat("disable")}>
            Disable
          </ActionButton>
        ) : (
          <ActionButton operationId="enableWebhook" kind="primary" onClick={() => setWhat("enable")}>
            Enable
          </ActionButton>
        )}
        <ActionButton operationId="deleteWebhook" kind="danger" onClick={() => setWhat("delete")}>
          Delete
        </ActionButton>
      </div>
      {status === "failed" && (
        <p className="note bad">
          Six attempts in a row failed over 15 hours, <Time at={statusChangedAt} />. New events are held until you
          enable it again.
        </p>
      )}
      {secretOverlapEndsAt !== null && (
        <p className="note">
          Deliveries are signed with the old secret too until <Time at={secretOverlapEndsAt} />:{" "}
          <Countdown until={secretOverlapEndsAt} />.
        </p>
      )}
      <HealthSection webhookId={id} />
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          [
            "Address",
            <bdi key="url" className="break">
              {url}
            </bdi>,
          ],
          ["Id", <CopyableId key="id" id={id} />],
          ["Created", <Time key="created" at={createdAt} />],
          ["Created by", <Who key="who" who={createdBy} />],
          [
            "Events",
            <ul key="events" className="tags">
              {events.map((type) => (
                <li key={type}>
                  <code>{type}</code>
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      <LatestDeliveries webhookId={id} />
      {what === "test" && <SendTest webhook={webhook} onClose={close} />}
      {what === "replay" && <Replay webhook={webhook} onClose={close} />}
      {what === "edit" && <EditWebhook webhook={webhook} onClose={close} />}
      {what === "disable" && <DisableWebhook webhook={webhook} onClose={close} />}
      {what === "enable" && <EnableWebhook webhook={webhook} onClose={close} />}
      {what === "delete" && <DeleteWebhook webhook={webhook} onClose={close} />}
      {what === "roll" && (
        <RollSecret
          webhook={webhook}
          onClose={close}
          onMade={({ secret }) => setMade({ secret, title: "The new secret" })}
        />
      )}
    </>
  );
}

function LatestDeliveries({ webhookId }: { webhookId: string }) {
  const deliveries = useCall(
    { operationId: "listDeliveries", query: { webhookId, limit: 8 } },
    { everyMs: afterAttemptMs },
  );
  const { data } = deliveries;
  return (
    <section className="below">
      <h3>
        Latest deliveries{" "}
        <ScreenLink to="/deliveries" search={{ webhookId }}>
          All
        </ScreenLink>
      </h3>
      <FailedPart of={deliveries} />
      {data?.data.length === 0 && <p className="faint">None yet. A test event makes one.</p>}
      <ul className="lines">
        {data?.data.map(({ id, eventType, status, attemptCount, createdAt }) => (
          <li key={id}>
            <ScreenLink to="/deliveries" open={id}>
              <code>{eventType}</code>
            </ScreenLink>
            <span className="faint">
              <Time at={createdAt} seconds /> {attemptCount > 1 && `· ${attemptCount} attempts`}
            </span>
            <Badge state={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
