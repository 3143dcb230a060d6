import type { DataOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { DeliveryState } from "../../parts/shown/delivery-state.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useDo } from "../../parts/page/use-do.ts";
import { NameLink } from "../../parts/names/names.tsx";
import { IdLink } from "../../parts/shown/id-link.tsx";
import { CausedBy } from "./caused-by.tsx";
import { Sent } from "./sent.tsx";
import { Timeline } from "./timeline.tsx";

type Delivery = DataOf<"getDelivery">;

export function DeliveryPane({ delivery }: { delivery: Delivery }) {
  const [what, setWhat] = useDo();
  const { id, webhookId, eventId, eventType, status, createdAt, deliveredAt, requestId } = delivery;
  const asked = useCall({ operationId: "getEvent", path: { eventId } });
  const event = asked.data;
  return (
    <>
      <h2>
        <code>{eventType}</code>
      </h2>
      <div className="actions">
        <ActionButton
          operationId="resendDelivery"
          kind="primary"
          onClick={() => setWhat("resend")}
          unavailable={status === "held" ? "It is held: enable the webhook." : null}
        >
          Resend
        </ActionButton>
      </div>
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
      {what === "resend" && (
        <ActionDialog<"resendDelivery">
          title="Resend the delivery"
          submit="Resend"
          callOf={() => ({ operationId: "resendDelivery", path: { deliveryId: id } })}
          done="It is sent again."
          onClose={() => setWhat(undefined)}
        >
          The same event goes out at once, with the same id. What is planned stays planned.
        </ActionDialog>
      )}
    </>
  );
}
