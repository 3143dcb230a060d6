import { eventExamples } from "virtual:events";
import type { DataOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { Line, Below, Lines } from "../../parts/list/lines.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Name, NameLink, nounOf } from "../../parts/names/names.tsx";
import { ScreenLink } from "../../parts/page/address.tsx";
import { CopyableId, DeliveryState, LastAttempt, Time, Facts } from "../../parts/shown/values.tsx";
import { JsonView } from "../../parts/shown/code-block.tsx";

type Event = DataOf<"getEvent">;

export function EventsScreen() {
  const types = Object.keys(eventExamples).map((value) => ({ value, label: value }));
  return (
    <ListScreen
      title="Events"
      about="The events of this account, newest first. Webhooks receive the types that they ask for."
      operationId="listEvents"
      filters={[
        { name: "type", label: "Type", choices: types },
        { name: "time", label: "Happened", kind: "time" },
        { name: "objectId", label: "Object id" },
        { name: "requestId", label: "Request id" },
      ]}
      columns={[
        { label: "Type", slot: "title", cell: ({ type }) => <code>{type}</code> },
        { label: "Object", slot: "meta", cell: (event) => <ObjectName id={objectIdOf(event)} /> },
        { label: "Happened", slot: "end", cell: ({ created }) => <Time at={created} seconds /> },
      ]}
      empty={{
        title: "Nothing happened yet",
        text: "Create a wallet or make a payment, and its events are here.",
      }}
      pane={detailOf("getEvent", EventPane)}
    />
  );
}

/** The id that the filter by object accepts. For `wallet.balance_changed` it is the wallet's. */
function objectIdOf({ data, type }: Pick<Event, "data" | "type">): string {
  // The object of an event has an id, or is a change of a wallet.
  const { id, walletId } = data.object as { id?: string; walletId?: string };
  return (type === "wallet.balance_changed" ? walletId : id) ?? id ?? walletId ?? "";
}

function ObjectName({ id }: { id: string }) {
  const noun = nounOf(id);
  return noun === null ? <code className="faint">{id}</code> : <Name noun={noun} id={id} />;
}

function EventPane({ of: event }: { of: Event }) {
  const objectId = objectIdOf(event);
  const noun = nounOf(objectId);
  return (
    <>
      <h2>
        <code>{event.type}</code>
      </h2>
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={event.id} />],
          ["Happened", <Time key="at" at={event.created} seconds />],
          ["Object", noun === null ? <CopyableId id={objectId} /> : <NameLink noun={noun} id={objectId} />],
        ]}
      />
      <DeliveriesOf eventId={event.id} />
      {objectId !== "" && <HistoryOf objectId={objectId} current={event.id} />}
      <h3>Body</h3>
      <JsonView value={event} label="As it is delivered" />
    </>
  );
}

function DeliveriesOf({ eventId }: { eventId: string }) {
  const deliveries = useCall({ operationId: "listDeliveries", query: { eventId, limit: 20 } });
  return (
    <Below title="Deliveries" label="Deliveries of the event" all={{ to: "/deliveries", search: { eventId } }}>
      <Lines of={deliveries} empty="No webhook asked for it.">
        {(delivery) => (
          <li key={delivery.id}>
            <ScreenLink to="/deliveries" open={delivery.id}>
              <Name noun="webhook" id={delivery.webhookId} />
            </ScreenLink>
            <span className="faint">
              <LastAttempt of={delivery} />
              {delivery.attemptCount > 1 && ` after ${delivery.attemptCount} attempts`}
            </span>
            <DeliveryState of={delivery} />
          </li>
        )}
      </Lines>
    </Below>
  );
}

function HistoryOf({ objectId, current }: { objectId: string; current: string }) {
  const title = "History of this object";
  const events = useCall({ operationId: "listEvents", query: { objectId, limit: 10 } });
  return (
    <Below title={title} label={title} all={{ to: "/events", search: { objectId } }}>
      <Lines of={events}>
        {({ id, type, created }) => (
          <Line
            key={id}
            {...{ to: "/events", open: id, search: { objectId }, "aria-current": id === current || undefined }}
            more={<Time at={created} seconds />}
          >
            <code>{type}</code>
          </Line>
        )}
      </Lines>
    </Below>
  );
}
