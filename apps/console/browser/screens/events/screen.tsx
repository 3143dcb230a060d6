import { eventExamples } from "virtual:events";
import type { DataOf } from "../../data/calls.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { DeliveryState, LastAttempt } from "../../parts/shown/delivery-state.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Name, NameLink, nounOf } from "../../parts/names/names.tsx";
import { Empty, FailedPart } from "../../parts/shown/states.tsx";
import { timesOf } from "../../parts/fields/time-filter.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Event = DataOf<"getEvent">;

export function EventsScreen() {
  return (
    <ListScreen
      title="Events"
      about="What happened in this account, newest first. Webhooks that ask for a type are sent it."
      operationId="listEvents"
      query={({ type, objectId, requestId, ...state }) => ({ type, objectId, requestId, ...timesOf(state) })}
      filters={[
        { name: "type", label: "Type", choices: Object.keys(eventExamples).map((value) => ({ value, label: value })) },
        { name: "time", label: "Happened", kind: "time" },
        { name: "objectId", label: "Object id" },
        { name: "requestId", label: "Request id" },
      ]}
      idOf={({ id }) => id}
      columns={columns}
      empty={<Empty title="Nothing happened yet">Create a wallet or make a payment, and its events are here.</Empty>}
      pane={(id) => (
        <Detail call={{ operationId: "getEvent", path: { eventId: id } }}>
          {(event) => <EventPane event={event} />}
        </Detail>
      )}
    />
  );
}

type Columns = Parameters<typeof ListScreen<"listEvents">>[0]["columns"];

const columns: Columns = [
  { label: "Type", slot: "title", cell: ({ type }) => <code>{type}</code> },
  { label: "Object", slot: "meta", cell: (event) => <ObjectName id={objectIdOf(event)} /> },
  { label: "Happened", slot: "end", cell: ({ created }) => <Time at={created} seconds /> },
];

/** Of `wallet.balance_changed` it is the wallet, as the filter by object takes it. */
function objectIdOf({ data, type }: Pick<Event, "data" | "type">): string {
  const { id, walletId } = data.object as { id?: string; walletId?: string };
  return (type === "wallet.balance_changed" ? walletId : id) ?? id ?? walletId ?? "";
}

function ObjectName({ id }: { id: string }) {
  const noun = nounOf(id);
  return noun === null ? <code className="faint">{id}</code> : <Name noun={noun} id={id} />;
}

function EventPane({ event }: { event: Event }) {
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
          [
            "Object",
            noun === null ? (
              <CopyableId key="object" id={objectId} />
            ) : (
              <NameLink key="object" noun={noun} id={objectId} />
            ),
          ],
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
  const query = useCall({ operationId: "listDeliveries", query: { eventId, limit: 20 } });
  return (
    <section aria-label="Deliveries of the event">
      <h3>
        Deliveries{" "}
        <ScreenLink to="/deliveries" search={{ eventId }}>
          All
        </ScreenLink>
      </h3>
      <FailedPart of={query} />
      {query.data?.data.length === 0 && <p className="faint">No webhook asked for it.</p>}
      <ul className="lines">
        {query.data?.data.map((delivery) => {
          const { id, webhookId, attemptCount } = delivery;
          return (
            <li key={id}>
              <ScreenLink to="/deliveries" open={id}>
                <Name noun="webhook" id={webhookId} />
              </ScreenLink>
              <span className="faint">
                <LastAttempt of={delivery} />
                {attemptCount > 1 && ` after ${attemptCount} attempts`}
              </span>
              <DeliveryState of={delivery} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What else happened to the same thing. */
function HistoryOf({ objectId, current }: { objectId: string; current: string }) {
  const query = useCall({ operationId: "listEvents", query: { objectId, limit: 10 } });
  return (
    <section aria-label="History of this object">
      <h3>
        History of this object{" "}
        <ScreenLink to="/events" search={{ objectId }}>
          All
        </ScreenLink>
      </h3>
      <FailedPart of={query} />
      <ul className="lines">
        {query.data?.data.map(({ id, type, created }) => (
          <li key={id}>
            <ScreenLink to="/events" search={{ objectId }} open={id} aria-current={id === current || undefined}>
              <code>{type}</code>
            </ScreenLink>
            <span className="faint">
              <Time at={created} seconds />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
