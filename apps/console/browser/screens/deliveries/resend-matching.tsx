import { useState } from "react";
import { Modal } from "../../parts/dialog/modal.tsx";
import { ReplayDialog } from "../../parts/dialog/lazy-replay-dialog.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { timesOf } from "../../parts/fields/time-filter.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import type { UrlState } from "../../parts/page/address.tsx";

/** Resends all deliveries that match the filters, not only one page of them. */
export function ResendMatching({ state, onClose }: { state: UrlState; onClose(): void }) {
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
