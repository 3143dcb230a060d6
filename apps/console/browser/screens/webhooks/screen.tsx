import { useState } from "react";
import { type ItemOf, pathOf } from "../../data/calls.ts";
import { afterAttemptMs } from "../../data/pace.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { Actions } from "../../parts/dialog/actions.tsx";
import { SecretDialog } from "../../parts/dialog/secret-dialog.tsx";
import type { Column } from "../../parts/list/columns.tsx";
import { Below, Lines } from "../../parts/list/lines.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Who } from "../../parts/names/names.tsx";
import { ScreenLink, useDo, useUrlState } from "../../parts/page/address.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { Badge, CopyableId, Countdown, Time, Facts } from "../../parts/shown/values.tsx";
import { actsOf, createWebhook } from "./acts.tsx";
import { HealthInShort, HealthSection } from "./health.tsx";
import { lazyPart } from "../../parts/page/lazy-part.tsx";

/** Includes the verifier that receivers use, so it loads when the user opens it. */
const SignatureChecker = lazyPart(() => import("./signature-checker.tsx"), "SignatureChecker");

type Webhook = ItemOf<"listWebhooks">;
/** `testId` names the webhook that is tested as soon as its secret is stored. */
type Made = { secret: string; title: string; testId?: string };

export function WebhooksScreen() {
  const [what, setWhat] = useDo();
  const [made, setMade] = useState<Made | null>(null);
  const [, setState] = useUrlState();
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
        actions={
          <button type="button" className="button" onClick={() => setWhat("signature")}>
            Check a signature
          </button>
        }
        create={createWebhook({
          onMade: ({ id, secret }) => setMade({ secret, title: "The webhook is ready", testId: id }),
        })}
        columns={columns}
        empty={{
          title: "No webhooks yet",
          text: (
            <>
              Add the address of a server, and it receives payments, deposits and verifications as they happen.
              <OwnMachine />
            </>
          ),
        }}
        pane={(id) => (
          <Detail call={{ operationId: "getWebhook", path: pathOf("getWebhook", id) }}>
            {(webhook) => <WebhookPane webhook={webhook} setMade={setMade} />}
          </Detail>
        )}
      />
      {what === "signature" && <SignatureChecker onClose={() => setWhat(undefined)} />}
      {made && (
        <SecretDialog title={made.title} secret={made.secret} onClose={leaveSecret}>
          Your server verifies with this secret that a delivery is from us. It is shown this once.
          {made.testId !== undefined && " Store it there: next is a test event."}
        </SecretDialog>
      )}
    </>
  );
}

const columns: readonly Column<Webhook>[] = [
  { label: "Address", slot: "title", cell: (webhook) => <Address {...webhook} /> },
  {
    ...{ label: "Events", slot: "meta" },
    cell: ({ events }) => (events.length === 1 ? events[0] : `${events.length} types`),
  },
  {
    ...{ label: "Delivered in 24 h", slot: "meta" },
    cell: ({ id, status }) => <HealthInShort webhookId={id} status={status} />,
  },
  { label: "Created", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
];

function OwnMachine() {
  const { environment, addresses } = useSession();
  if (environment !== "sandbox") {
    return null;
  }
  return addresses.receiver === null ? (
    <>
      {" "}
      On your own machine, <code>npm start</code> prints the address of a receiver that shows what comes in.
    </>
  ) : (
    <>
      {" "}
      On this machine a receiver listens that prints what comes in: <CopyableId id={addresses.receiver} />
    </>
  );
}

function Address({ url, description }: Pick<Webhook, "url" | "description">) {
  return (
    <span className="two-lines">
      <bdi>{description ?? url.replace(/^https:\/\//, "")}</bdi>
      {description !== null && <small>{url.replace(/^https:\/\//, "")}</small>}
    </span>
  );
}

function WebhookPane({ webhook, setMade }: { webhook: Webhook; setMade(made: Made): void }) {
  const { id, url, description, events, status, statusChangedAt, secretOverlapEndsAt, createdAt, createdBy } = webhook;
  return (
    <>
      <h2>
        <bdi>{description ?? new URL(url).host}</bdi>
      </h2>
      <Actions of={actsOf(webhook, { onMade: ({ secret }) => setMade({ secret, title: "The new secret" }) })} />
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
    </>
  );
}

function LatestDeliveries({ webhookId }: { webhookId: string }) {
  const query = { webhookId, limit: 8 };
  const deliveries = useCall({ operationId: "listDeliveries", query }, { everyMs: afterAttemptMs });
  return (
    <Below title="Latest deliveries" all={{ to: "/deliveries", search: { webhookId } }}>
      <Lines of={deliveries} empty="None yet. A test event makes one.">
        {({ id, eventType, status, attemptCount, createdAt }) => (
          <li key={id}>
            <ScreenLink to="/deliveries" open={id}>
              <code>{eventType}</code>
            </ScreenLink>
            <span className="faint">
              <Time at={createdAt} seconds /> {attemptCount > 1 && `· ${attemptCount} attempts`}
            </span>
            <Badge state={status} />
          </li>
        )}
      </Lines>
    </Below>
  );
}
