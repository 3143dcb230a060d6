import { eventExamples } from "virtual:events";
import { afterAttemptMs } from "../../data/pace.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { DeliveryState, LastAttempt } from "../../parts/shown/delivery-state.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Name, useNameChoices } from "../../parts/names/names.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { timesOf } from "../../parts/fields/time-filter.tsx";
import { Ago, Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { useUrlState, type UrlState } from "../../parts/page/use-url-state.ts";
import { DeliveryPane } from "./pane.tsx";
import { ResendMatching } from "./resend-matching.tsx";

const plain = (value: string) => ({ value, label: value.replaceAll("_", " ") });

export function DeliveriesScreen() {
  const [what, setWhat] = useDo();
  const [state] = useUrlState();
  const webhooks = useNameChoices("webhook");
  return (
    <>
      <ListScreen
        title="Deliveries"
        about="What was sent to webhooks, what came of it, and what is tried again."
        operationId="listDeliveries"
        query={queryOf}
        actions={
          <ActionButton
            operationId="replayDeliveries"
            onClick={() => setWhat("resend-matching")}
            unavailable={whyNoReplay(state)}
          >
            Resend matching
          </ActionButton>
        }
        filters={[
          {
            name: "status",
            label: "State",
            kind: "several",
            choices: ["pending", "delivered", "failed", "held"].map(plain),
          },
          { name: "time", label: "Recorded", kind: "time" },
          { name: "eventType", label: "Type", choices: Object.keys(eventExamples).map(plain) },
          {
            name: "outcome",
            label: "Last outcome",
            choices: [
              ...["delivered", "http_error", "timeout", "connection_failed", "tls_failed"],
              ...["headers_too_large", "invalid_response", "blocked"],
            ].map(plain),
          },
          { name: "webhookId", label: "Webhook", choices: webhooks },
          { name: "eventId", label: "Event id" },
          { name: "requestId", label: "Request id" },
        ]}
        idOf={({ id }) => id}
        columns={columns}
        empty={
          <Empty title="Nothing was sent yet">
            As soon as something happens that a webhook asks for, its delivery is here.
          </Empty>
        }
        pane={(id) => (
          <Detail
            call={{ operationId: "getDelivery", path: { deliveryId: id } }}
            everyMs={(one) => afterAttemptMs([one])}
          >
            {(delivery) => <DeliveryPane delivery={delivery} />}
          </Detail>
        )}
      />
      {what === "resend-matching" && whyNoReplay(state) === null && (
        <ResendMatching state={state} onClose={() => setWhat(undefined)} />
      )}
    </>
  );
}

function queryOf(state: UrlState): Readonly<Record<string, string | undefined>> {
  const { status, eventType, outcome, webhookId, eventId, requestId } = state;
  return { status, eventType, outcome, webhookId, eventId, requestId, ...timesOf(state) };
}

/** A replay chooses by webhook, time, type and what became of it, and by nothing else: it would send more than what is in sight. */
function whyNoReplay({ outcome, eventId, requestId, status }: UrlState): string | null {
  const states = status?.split(",") ?? [];
  if (outcome || eventId || requestId) {
    return "By outcome, event or request only single deliveries are sent again: clear that filter.";
  }
  return states.some((one) => one === "pending" || one === "held")
    ? "What is pending is sent anyway, and what is held when its webhook is enabled: choose other states."
    : null;
}

type Columns = Parameters<typeof ListScreen<"listDeliveries">>[0]["columns"];

const columns: Columns = [
  { label: "Type", slot: "title", cell: ({ eventType }) => <code>{eventType}</code> },
  { label: "Webhook", slot: "meta", cell: ({ webhookId }) => <Name noun="webhook" id={webhookId} /> },
  { label: "Created", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} seconds /> },
  { label: "Attempts", slot: "wide", cell: ({ attemptCount }) => attemptCount },
  { label: "Last", slot: "meta", cell: (delivery) => <LastAttempt of={delivery} /> },
  {
    label: "Next",
    slot: "meta",
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "" : <Ago at={nextAttemptAt} />),
  },
  { label: "State", slot: "end", cell: (delivery) => <DeliveryState of={delivery} /> },
];
