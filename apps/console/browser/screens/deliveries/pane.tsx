import type { DataOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { act, Actions } from "../../parts/dialog/actions.tsx";
import { NameLink } from "../../parts/names/names.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { DeliveryState } from "../../parts/shown/delivery-state.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { IdLink } from "../../parts/shown/id-link.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { CausedBy } from "./caused-by.tsx";
import { Sent } from "./sent.tsx";
import { Timeline } from "./timeline.tsx";

export function DeliveryPane({ of: delivery }: { of: DataOf<"getDelivery"> }) {
  const { id, webhookId, eventId, eventType, status, createdAt, deliveredAt, requestId } = delivery;
  const asked = useCall({ operationId: "getEvent", path: { eventId } });
  const event = asked.data;
  return (
    <>
      <h2>
        <code>{eventType}</code>
      </h2>
      <Actions
        of={[
          act("resendDelivery", {
            ...{ do: "resend", label: "Resend", kind: "primary", id },
            unavailable: status === "held" ? "It is held: enable the webhook." : null,
            ...{ title: "Resend the delivery", submit: "Resend", done: "It is sent again." },
            text: "The same event goes out at once, with the same id. Planned attempts stay planned.",
          }),
        ]}
      />
      <Timeline delivery={delivery} />
      <Facts
        rows={[
          ["State", <DeliveryState key="state" of={delivery} />],
          ["Caused by", <CausedBy key="cause" requestId={requestId} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["Webhook", <NameLink key="webhook" noun="webhook" id={webhookId} />],
          ["Event", <IdLink key="event" to="/events" open={eventId} />],
          ["Created", <Time key="created" at={createdAt} seconds />],
          ["Delivered", <Time key="delivered" at={deliveredAt} seconds />],
        ]}
      />
      <FailedPart of={asked} />
      {event && <JsonView value={event.data} label="Payload" />}
      {event && <Sent delivery={delivery} event={event.data} />}
    </>
  );
}
