import type { DataOf } from "../../data/calls.ts";
import { afterAttemptMs } from "../../data/pace.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CopyableId } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list-screen.tsx";
import { Empty } from "../../parts/states.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { useCall } from "../../parts/use-call.ts";
import { useDo } from "../../parts/use-do.ts";
import { IdLink } from "../../parts/who.tsx";
import { Timeline } from "./timeline.tsx";

type Delivery = DataOf<"getDelivery">;

export function DeliveriesScreen() {
  return (
    <ListScreen
      title="Deliveries"
      about="What was sent to webhooks, what came of it, and what is tried again."
      operationId="listDeliveries"
      query={({ status, webhookId, eventId }) => ({ status, webhookId, eventId })}
      filters={[
        {
          name: "status",
          label: "State",
          choices: ["pending", "delivered", "failed", "held"].map((value) => ({ value, label: value })),
        },
        { name: "webhookId", label: "Webhook id" },
        { name: "eventId", label: "Event id" },
      ]}
      idOf={({ id }) => id}
      columns={[
        { label: "Type", slot: "title", cell: ({ eventType }) => <code>{eventType}</code> },
        { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} seconds /> },
        { label: "Attempts", slot: "wide", isNumber: true, cell: ({ attemptCount }) => attemptCount },
        {
          label: "Next",
          slot: "meta",
          cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "" : <Ago at={nextAttemptAt} />),
        },
        { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
      ]}
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
  );
}

function DeliveryPane({ delivery }: { delivery: Delivery }) {
  const [what, setWhat] = useDo();
  const { id, webhookId, eventId, eventType, status, createdAt, deliveredAt } = delivery;
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
          ["State", <Badge key="state" state={status} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["Webhook", <IdLink key="webhook" to="/webhooks" id={webhookId} />],
          ["Event", <IdLink key="event" to="/events" id={eventId} />],
          ["Created", <Time key="created" at={createdAt} seconds />],
          ["Delivered", <Time key="delivered" at={deliveredAt} seconds />],
        ]}
      />
      <Payload eventId={eventId} />
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

function Payload({ eventId }: { eventId: string }) {
  const { data } = useCall({ operationId: "getEvent", path: { eventId } });
  return data ? <JsonView value={data.data} label="Payload" /> : null;
}
