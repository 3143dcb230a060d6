import { eventExamples } from "virtual:events";
import { countOfHeld } from "../../data/waiting.ts";
import type { DataOf, ItemOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { act, type Act } from "../../parts/dialog/actions.tsx";
import { ReplayDialog } from "../../parts/dialog/lazy-replay-dialog.tsx";
import { choicesOf, type Choice, type Field, type Values } from "../../parts/fields/field-input.tsx";
import { JsonView } from "../../parts/shown/code-block.tsx";
import { lazyPart } from "../../parts/page/lazy-part.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/values.tsx";

const SendTest = lazyPart(() => import("./send-test.tsx"), "SendTest");

type Webhook = ItemOf<"listWebhooks">;
type OnMade = { onMade(made: DataOf<"createWebhook">): void };

const types: readonly Choice[] = Object.keys(eventExamples).map((type) => ({ value: type, label: type }));

const fields: readonly Field[] = [
  {
    ...{ name: "url", label: "Address", kind: "text", isCode: true },
    placeholder: "https://hooks.example.com/gateway",
    hint: "Absolute and https, of a public host.",
  },
  { name: "description", label: "Description", kind: "text", hint: "Its purpose. Optional." },
  {
    ...{ name: "events", label: "Events", kind: "checks", choices: types, isGrouped: true },
    hint: "Types that are added later are not included: choose them then.",
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

export const createWebhook = ({ onMade }: OnMade): Act =>
  act("createWebhook", {
    ...{ do: "create", label: "Add webhook" },
    ...{ title: "Add a webhook", submit: "Add webhook", done: null },
    fields,
    preview: (values) => <Example values={values} />,
    bodyOf: (values) => {
      const description = values["description"]?.trim();
      return { ...bodyOf(values), ...(description && { description }) };
    },
    onDone: ({ data }) => onMade(data),
  });

/** A delivery as it arrives: the document's example of the type that was chosen last. */
function Example({ values: { events = "" } }: { values: Values }) {
  const type = events.split(" ").filter(Boolean).at(-1) ?? types[0]?.value ?? "";
  return <JsonView value={eventExamples[type]} label={`Example of ${type}`} />;
}

const overlaps: readonly Choice[] = [
  {
    ...{ value: "0", label: "Stops at once" },
    hint: "For a secret that leaked: deliveries fail until your server has the new one.",
  },
  ...choicesOf({ "86400": "Signs for one more day", "604800": "Signs for seven more days" }),
];

export function actsOf(webhook: Webhook, { onMade }: OnMade): readonly Act[] {
  const { id, url, status } = webhook;
  const isEnabled = status === "enabled";
  const unavailable = isEnabled ? null : `It is ${status}.`;
  const name = webhook.description ?? url;
  return [
    {
      ...{ do: "test", label: "Send test event", operationId: "sendTestEvent", kind: "primary", unavailable },
      dialog: (close) => <SendTest webhook={webhook} types={types} onClose={close} />,
    },
    {
      ...{ do: "replay", label: "Replay", operationId: "replayDeliveries", unavailable },
      dialog: (close) => <ReplayDialog title="Replay events" webhooks={[webhook]} onClose={close} />,
    },
    act("updateWebhook", {
      ...{ do: "edit", label: "Edit", id },
      ...{ title: "Edit the webhook", submit: "Save", done: "The webhook is changed." },
      fields,
      initial: { url, description: webhook.description ?? "", events: webhook.events.join(" ") },
      preview: (values) => <Example values={values} />,
      bodyOf: (values) => ({ ...bodyOf(values), description: values["description"]?.trim() || null }),
    }),
    act("rollWebhookSecret", {
      ...{ do: "roll", label: "Roll secret", id, name },
      isDangerous: ({ overlapSeconds }) => overlapSeconds === "0",
      ...{ title: "Roll the secret", submit: "Roll secret", done: null },
      fields: [{ name: "overlapSeconds", label: "The old secret", kind: "radio", choices: overlaps }],
      initial: { overlapSeconds: "86400" },
      bodyOf: ({ overlapSeconds }) => ({ overlapSeconds: Number(overlapSeconds) }),
      onDone: ({ data }) => onMade(data),
      text: <Traffic webhookId={id} />,
    }),
    isEnabled
      ? act("disableWebhook", {
          ...{ do: "disable", label: "Disable", id },
          ...{ title: "Disable the webhook", submit: "Disable", done: "The webhook is disabled. Its events are held." },
          text: (
            <>
              <Traffic webhookId={id} />
              Nothing is sent until it is enabled again. Events that happen meanwhile are held, and sent then.
            </>
          ),
        })
      : act("enableWebhook", {
          ...{ do: "enable", label: "Enable", kind: "primary", id },
          ...{ title: "Enable the webhook", submit: "Enable", done: "The webhook is enabled." },
          text: <HeldEvents webhookId={id} />,
        }),
    act("deleteWebhook", {
      ...{ do: "delete", label: "Delete", kind: "danger", id, name },
      ...{ title: "Delete the webhook", submit: "Delete webhook", done: "The webhook is deleted." },
      text: (
        <>
          <Traffic webhookId={id} />
          Nothing more is sent to <bdi>{url}</bdi>. Deliveries that are pending or held for it are never sent.
        </>
      ),
    }),
  ];
}

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

function HeldEvents({ webhookId }: { webhookId: string }) {
  const health = useCall({ operationId: "getWebhookHealth", path: { webhookId } });
  if (health.data === undefined) {
    return health.isError ? <FailedPart of={health} /> : "…";
  }
  const { held, oldestHeldAt } = health.data.data;
  return (
    <>
      {held === 0
        ? "No events are held for it."
        : `It sends ${countOfHeld(held)} held ${held === 1 ? "event" : "events"}, oldest first`}
      {oldestHeldAt !== null && (
        <>
          : the first is of <Time at={oldestHeldAt} />.
        </>
      )}
    </>
  );
}
