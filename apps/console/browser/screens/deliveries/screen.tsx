import { eventExamples } from "virtual:events";
import type { ItemOf } from "../../data/calls.ts";
import { valuesOf } from "../../data/listed-values.ts";
import { afterAttemptMs } from "../../data/pace.ts";
import { ActionButton } from "../../parts/dialog/actions.tsx";
import { plainChoices } from "../../parts/fields/field-input.tsx";
import type { Filter } from "../../parts/fields/filter-bar.tsx";
import type { Column } from "../../parts/list/columns.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Name, useNameChoices } from "../../parts/names/names.tsx";
import { useDo, useUrlState, type UrlState } from "../../parts/page/address.tsx";
import { DeliveryState, LastAttempt, Ago, Time } from "../../parts/shown/values.tsx";
import { DeliveryPane } from "./pane.tsx";
import { useState } from "react";
import { Modal } from "../../parts/dialog/modal.tsx";
import { ReplayDialog } from "../../parts/dialog/lazy-replay-dialog.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { timesOf } from "../../parts/fields/time-filter.tsx";
import { useCall } from "../../parts/call/use-call.ts";

const states = plainChoices(valuesOf("DeliveryStatus"));
const outcomes = plainChoices(valuesOf("DeliveryOutcome"));

function filtersOf(webhooks: NonNullable<Filter["choices"]>): readonly Filter[] {
  return [
    { name: "status", label: "State", kind: "several", choices: states },
    { name: "time", label: "Recorded", kind: "time" },
    { name: "eventType", label: "Type", choices: plainChoices(Object.keys(eventExamples)) },
    { name: "outcome", label: "Last outcome", choices: outcomes },
    { name: "webhookId", label: "Webhook", choices: webhooks },
    { name: "eventId", label: "Event id" },
    { name: "requestId", label: "Request id" },
  ];
}

export function DeliveriesScreen() {
  const [what, setWhat] = useDo();
  const [state] = useUrlState();
  return (
    <>
      <ListScreen
        title="Deliveries"
        about="Deliveries to webhooks, their outcomes and their retries."
        operationId="listDeliveries"
        actions={
          <ActionButton
            operationId="replayDeliveries"
            onClick={() => setWhat("resend-matching")}
            unavailable={whyNoReplay(state)}
          >
            Resend matching
          </ActionButton>
        }
        filters={filtersOf(useNameChoices("webhook"))}
        columns={columns}
        empty={{
          title: "Nothing was sent yet",
          text: "When an event happens that a webhook receives, its delivery appears here.",
        }}
        pane={detailOf("getDelivery", DeliveryPane, (one) => afterAttemptMs([one]))}
      />
      {what === "resend-matching" && whyNoReplay(state) === null && (
        <ResendMatching state={state} onClose={() => setWhat(undefined)} />
      )}
    </>
  );
}

/** A replay chooses by webhook, time, type and result alone: with other filters it would send more than is in sight. */
function whyNoReplay({ outcome, eventId, requestId, status }: UrlState): string | null {
  const states = status?.split(",") ?? [];
  if (outcome || eventId || requestId) {
    return "Deliveries filtered by outcome, event or request can only be resent one at a time: clear that filter.";
  }
  return states.some((one) => one === "pending" || one === "held")
    ? "Pending deliveries are sent anyway, and held ones when their webhook is enabled: choose other states."
    : null;
}

const columns: readonly Column<ItemOf<"listDeliveries">>[] = [
  { label: "Type", slot: "title", cell: ({ eventType }) => <code>{eventType}</code> },
  { label: "Webhook", slot: "meta", cell: ({ webhookId }) => <Name noun="webhook" id={webhookId} /> },
  { label: "Created", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} seconds /> },
  { label: "Attempts", slot: "wide", cell: ({ attemptCount }) => attemptCount },
  { label: "Last", slot: "meta", cell: (delivery) => <LastAttempt of={delivery} /> },
  { label: "Next", slot: "meta", cell: ({ nextAttemptAt }) => nextAttemptAt && <Ago at={nextAttemptAt} /> },
  { label: "State", slot: "end", cell: (delivery) => <DeliveryState of={delivery} /> },
];

/** Resends all deliveries that match the filters, not only one page of them. */
function ResendMatching({ state, onClose }: { state: UrlState; onClose(): void }) {
  const [opener] = useState(() => document.activeElement);
  const query = useCall({ operationId: "listWebhooks", query: { limit: 100 } }, { isChoice: true });
  const webhooks = (query.data?.data ?? []).filter(
    ({ id, status }) => status === "enabled" && (!state["webhookId"] || state["webhookId"] === id),
  );
  // Renders one dialog, and only when it can be filled in, because it returns the focus to the element that opened it.
  if (!query.isFetchedAfterMount) {
    return null;
  }
  if (webhooks.length === 0) {
    return (
      <Modal title="Resend matching" onClose={onClose}>
        <FailedPart of={query} />
        {query.isSuccess && (
          <p>
            {state["webhookId"]
              ? "The webhook of this filter is disabled or was deleted. Enable it first."
              : "No webhook is enabled, so there is no receiver."}
          </p>
        )}
      </Modal>
    );
  }
  const { range, eventType, status } = state;
  const { since, until } = timesOf(state);
  return (
    <ReplayDialog
      title="Resend matching"
      webhooks={webhooks.toSorted((one, other) => Number(asks(other, eventType)) - Number(asks(one, eventType)))}
      initial={{
        // Without a time in the filters everything that is kept matches.
        ...(range || (!since && !until) ? { range: range ?? "30d" } : { since, until }),
        types: eventType ? [eventType] : [],
        statuses: status ? status.split(",") : ["delivered", "failed"],
      }}
      returnTo={opener}
      onClose={onClose}
    />
  );
}

function asks({ events }: { events: readonly string[] }, type: string | undefined): boolean {
  return type !== undefined && events.includes(type);
}
