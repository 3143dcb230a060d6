import { useState } from "react";
import { eventExamples } from "virtual:events";
import { countOfHeld } from "../../data/waiting.ts";
import type { DataOf, ItemOf } from "../../data/calls.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import type { Choice, Field, Values } from "../../parts/fields/field-input.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { Modal } from "../../parts/dialog/modal.tsx";
import { ReplayDialog } from "../../parts/dialog/replay-dialog.tsx";
import { FailedPart, Failure } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Webhook = ItemOf<"listWebhooks">;
type Made = DataOf<"createWebhook">;
type Options = { webhook: Webhook; onClose(): void };

const types: readonly Choice[] = Object.keys(eventExamples).map((type) => ({ value: type, label: type }));

const fields: readonly Field[] = [
  {
    name: "url",
    label: "Address",
    kind: "text",
    isCode: true,
    placeholder: "https://hooks.example.com/gateway",
    hint: "Absolute and https, of a public host.",
  },
  { name: "description", label: "Description", kind: "text", hint: "What it is for. May stay empty." },
  {
    name: "events",
    label: "Events",
    kind: "checks",
    choices: types,
    isGrouped: true,
    hint: "A type that comes later is in none of these: choose it then.",
  },
];

function bodyOf({ url = "", events = "" }: Values): { url: string; events: string[] } {
  const chosen = events.split(" ").filter(Boolean);
  if (!url.startsWith("https://")) {
    throw new Error("The address must begin with https://.");
  }
  if (chosen.length === 0) {
    throw new Error("Choose at least one type of event.");
  }
  return { url: url.trim(), events: chosen };
}

export function CreateWebhook({ onClose, onMade }: { onClose(): void; onMade(made: Made): void }) {
  return (
    <ActionDialog<"createWebhook">
      title="Add a webhook"
      fields={fields}
      submit="Add webhook"
      preview={(values) => <Example values={values} />}
      callOf={(values) => ({
        operationId: "createWebhook",
        body: {
          ...bodyOf(values),
          ...(values["description"]?.trim() && { description: values["description"].trim() }),
        },
      })}
      done={null}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
    />
  );
}

/** What arrives: the document's example of the type that was chosen last. */
function Example({ values: { events = "" } }: { values: Values }) {
  const type = events.split(" ").filter(Boolean).at(-1) ?? types[0]?.value ?? "";
  return <JsonView value={eventExamples[type]} label={`Example of ${type}`} />;
}

export function EditWebhook({ webhook: { id, url, description, events }, onClose }: Options) {
  return (
    <ActionDialog<"updateWebhook">
      title="Edit the webhook"
      fields={fields}
      initial={{ url, description: description ?? "", events: events.join(" ") }}
      submit="Save"
      preview={(values) => <Example values={values} />}
      callOf={(values) => ({
        operationId: "updateWebhook",
        path: { webhookId: id },
        body: { ...bodyOf(values), description: values["description"]?.trim() || null },
      })}
      done="The webhook is changed."
      onClose={onClose}
    />
  );
}

/** Sends one, and then shows what the receiver says to it, as it happens. */
export function SendTest({ webhook: { id, events }, onClose }: Options) {
  const [sentId, setSentId] = useState<string | null>(null);
  const [opener] = useState(() => document.activeElement);
  if (sentId !== null) {
    return <TestResult deliveryId={sentId} opener={opener} onClose={onClose} />;
  }
  return (
    <ActionDialog<"sendTestEvent">
      title="Send a test event"
      fields={[{ name: "type", label: "Type", kind: "select", choices: types }]}
      initial={{ type: events[0] ?? types[0]?.value ?? "" }}
      submit="Send"
      preview={({ type = "" }) => <JsonView value={eventExamples[type]} label="What arrives" />}
      callOf={({ type }) => ({ operationId: "sendTestEvent", path: { webhookId: id }, body: { type } })}
      done="The test event is on its way."
      onDone={({ data }) => setSentId(data.id)}
      // What is shown next stands in its place.
      onClose={(isDone) => !isDone && onClose()}
    >
      It is signed and tried again as a real one, and looks like the example.
    </ActionDialog>
  );
}

function TestResult({ deliveryId, opener, onClose }: { deliveryId: string; opener: Element | null; onClose(): void }) {
  const query = useCall({ operationId: "getDelivery", path: { deliveryId } }, { everyMs: 1000 });
  const { data } = query;
  const last = data?.data.attempts.at(-1);
  return (
    <Modal title="The test event" onClose={onClose} returnTo={opener}>
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      <div className="dialog-text" role="status">
        {last === undefined ? (
          "It is on its way…"
        ) : (
          <>
            <Badge state={last.outcome === "delivered" ? "delivered" : "failed"} />{" "}
            {last.httpStatus ?? last.outcome.replaceAll("_", " ")} after {last.durationMs} ms.{" "}
            {last.outcome === "delivered"
              ? "Your server has it."
              : "It is tried again five times over 15 hours; a receiver that answers 2xx ends that."}
          </>
        )}
      </div>
      {last?.responseStart && (
        <pre className="answer" tabIndex={0} aria-label="What was answered">
          {last.responseStart}
        </pre>
      )}
      <footer className="dialog-footer">
        <ScreenLink className="button" to="/deliveries" open={deliveryId}>
          See the delivery
        </ScreenLink>
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </footer>
    </Modal>
  );
}

export function Replay({ webhook, onClose }: Options) {
  return <ReplayDialog title="Replay events" webhooks={[webhook]} onClose={onClose} />;
}

export function RollSecret({
  webhook: { id, url, description },
  onClose,
  onMade,
}: Options & { onMade(made: Made): void }) {
  const choices: readonly Choice[] = [
    {
      value: "0",
      label: "Stops at once",
      hint: "For a secret that leaked: deliveries fail until your server has the new one.",
    },
    { value: "86400", label: "Signs for one more day" },
    { value: "604800", label: "Signs for seven more days" },
  ];
  return (
    <ActionDialog<"rollWebhookSecret">
      title="Roll the secret"
      fields={[{ name: "overlapSeconds", label: "The old secret", kind: "radio", choices }]}
      initial={{ overlapSeconds: "86400" }}
      submit="Roll secret"
      isDangerous={({ overlapSeconds }) => overlapSeconds === "0"}
      name={description ?? url}
      callOf={({ overlapSeconds }) => ({
        operationId: "rollWebhookSecret",
        path: { webhookId: id },
        body: { overlapSeconds: Number(overlapSeconds) },
      })}
      done={null}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
    >
      <Traffic webhookId={id} />
    </ActionDialog>
  );
}

/** What breaks: so much arrived there. */
function Traffic({ webhookId }: { webhookId: string }) {
  const health = useCall({ operationId: "getWebhookHealth", path: { webhookId } });
  const { data } = health;
  return data === undefined ? (
    <FailedPart of={health} />
  ) : (
    <p>
      <strong>{data.data.delivered.toLocaleString("en")}</strong>{" "}
      {data.data.delivered === 1 ? "event was" : "events were"} delivered to it in the last 24 hours.
    </p>
  );
}

export function DisableWebhook({ webhook: { id }, onClose }: Options) {
  return (
    <ActionDialog<"disableWebhook">
      title="Disable the webhook"
      submit="Disable"
      callOf={() => ({ operationId: "disableWebhook", path: { webhookId: id } })}
      done="The webhook is disabled. Its events are held."
      onClose={onClose}
    >
      <Traffic webhookId={id} />
      Nothing is sent until it is enabled again. Events that happen meanwhile are held, and sent then.
    </ActionDialog>
  );
}

export function EnableWebhook({ webhook: { id }, onClose }: Options) {
  const health = useCall({ operationId: "getWebhookHealth", path: { webhookId: id } });
  const { data } = health;
  const { held = 0, oldestHeldAt = null } = data?.data ?? {};
  return (
    <ActionDialog<"enableWebhook">
      title="Enable the webhook"
      submit="Enable"
      callOf={() => ({ operationId: "enableWebhook", path: { webhookId: id } })}
      done="The webhook is enabled."
      onClose={onClose}
    >
      {data === undefined ? (
        health.isError ? (
          <FailedPart of={health} />
        ) : (
          "…"
        )
      ) : held === 0 ? (
        "No events are held for it."
      ) : (
        <>It sends {heldEvents(held)}, oldest first</>
      )}
      {oldestHeldAt !== null && (
        <>
          : the first is of <Time at={oldestHeldAt} />.
        </>
      )}
    </ActionDialog>
  );
}

function heldEvents(held: number): string {
  return `${countOfHeld(held)} held ${held === 1 ? "event" : "events"}`;
}

export function DeleteWebhook({ webhook: { id, url, description }, onClose }: Options) {
  return (
    <ActionDialog<"deleteWebhook">
      title="Delete the webhook"
      submit="Delete webhook"
      isDangerous
      name={description ?? url}
      callOf={() => ({ operationId: "deleteWebhook", path: { webhookId: id } })}
      done="The webhook is deleted."
      onClose={onClose}
    >
      <Traffic webhookId={id} />
      Nothing more is sent to <bdi>{url}</bdi>, and what waits or is held for it is never sent.
    </ActionDialog>
  );
}
