import { eventExamples } from "virtual:events";
import type { DataOf, ItemOf } from "../../data/calls.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import type { Choice, Field, Values } from "../../parts/field-input.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { useCall } from "../../parts/use-call.ts";

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
  { name: "events", label: "Events", kind: "checks", choices: types },
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

export function SendTest({ webhook: { id, events }, onClose }: Options) {
  return (
    <ActionDialog<"sendTestEvent">
      title="Send a test event"
      fields={[{ name: "type", label: "Type", kind: "select", choices: types }]}
      initial={{ type: events[0] ?? types[0]?.value ?? "" }}
      submit="Send"
      preview={({ type = "" }) => <JsonView value={eventExamples[type]} label="What arrives" />}
      callOf={({ type }) => ({ operationId: "sendTestEvent", path: { webhookId: id }, body: { type } })}
      done="The test event is on its way."
      onClose={onClose}
    >
      It is signed and tried again as a real one, and looks like the example.
    </ActionDialog>
  );
}

const sinces: readonly Choice[] = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last 24 hours" },
  { value: "168", label: "The last 7 days" },
  { value: "719", label: "The last 30 days" },
];

export function Replay({ webhook: { id }, onClose }: Options) {
  return (
    <ActionDialog<"replayDeliveries">
      title="Replay events"
      fields={[{ name: "hours", label: "Since", kind: "radio", choices: sinces }]}
      initial={{ hours: "24" }}
      submit="Replay"
      callOf={({ hours = "24" }) => ({
        operationId: "replayDeliveries",
        path: { webhookId: id },
        body: { since: new Date(Math.floor(Date.now() / 60_000) * 60_000 - Number(hours) * 3_600_000).toISOString() },
      })}
      done="The events are being sent again."
      onClose={onClose}
    >
      Events that it asks for are sent once more, with the same ids: a receiver that keeps ids it has seen notices
      nothing.
    </ActionDialog>
  );
}

export function RollSecret({ webhook: { id }, onClose, onMade }: Options & { onMade(made: Made): void }) {
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
      callOf={({ overlapSeconds }) => ({
        operationId: "rollWebhookSecret",
        path: { webhookId: id },
        body: { overlapSeconds: Number(overlapSeconds) },
      })}
      done={null}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
    />
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
      Nothing is sent until it is enabled again. Events that happen meanwhile are held, and sent then.
    </ActionDialog>
  );
}

export function EnableWebhook({ webhook: { id }, onClose }: Options) {
  const { data } = useCall({ operationId: "listDeliveries", query: { webhookId: id, status: "held", limit: 100 } });
  const count = data?.data.length ?? 0;
  return (
    <ActionDialog<"enableWebhook">
      title="Enable the webhook"
      submit="Enable"
      callOf={() => ({ operationId: "enableWebhook", path: { webhookId: id } })}
      done="The webhook is enabled."
      onClose={onClose}
    >
      {count === 0 && "No events are held for it."}
      {count === 1 && "It sends 1 held event."}
      {count > 1 && `It sends ${data?.meta.hasMore ? "more than " : ""}${count} held events, oldest first.`}
    </ActionDialog>
  );
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
      Nothing more is sent to <bdi>{url}</bdi>, and what waits or is held for it is never sent.
    </ActionDialog>
  );
}
