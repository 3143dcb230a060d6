import { Link } from "@tanstack/react-router";
import { eventExamples } from "virtual:events";
import type { DataOf } from "../../data/calls.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyableId } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list-screen.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useCall } from "../../parts/use-call.ts";

type Event = DataOf<"getEvent">;

export function EventsScreen() {
  return (
    <ListScreen
      title="Events"
      about="What happened in this account, newest first. Webhooks that ask for a type are sent it."
      operationId="listEvents"
      query={({ type }) => ({ type })}
      filters={[
        { name: "type", label: "Type", choices: Object.keys(eventExamples).map((value) => ({ value, label: value })) },
      ]}
      idOf={({ id }) => id}
      columns={[
        { label: "Type", slot: "title", cell: ({ type }) => <code>{type}</code> },
        { label: "Object", slot: "wide", cell: (event) => <code className="faint">{objectIdOf(event)}</code> },
        { label: "Happened", slot: "end", cell: ({ created }) => <Time at={created} seconds /> },
      ]}
      empty={<Empty title="Nothing happened yet">Create a wallet or make a payment, and its events are here.</Empty>}
      pane={(id) => (
        <Detail call={{ operationId: "getEvent", path: { eventId: id } }}>
          {(event) => <EventPane event={event} />}
        </Detail>
      )}
    />
  );
}

function objectIdOf({ data }: Pick<Event, "data">): string {
  const { id, walletId } = data.object as { id?: string; walletId?: string };
  return id ?? walletId ?? "";
}

function EventPane({ event }: { event: Event }) {
  const { data: deliveries } = useCall({ operationId: "listDeliveries", query: { eventId: event.id, limit: 20 } });
  return (
    <>
      <h2>
        <code>{event.type}</code>
      </h2>
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={event.id} />],
          ["Happened", <Time key="at" at={event.created} seconds />],
          ["Object", <CopyableId key="object" id={objectIdOf(event)} />],
        ]}
      />
      <h3>Deliveries</h3>
      {deliveries?.data.length === 0 && <p className="faint">No webhook asked for it.</p>}
      <ul className="lines">
        {deliveries?.data.map(({ id, webhookId, status }) => (
          <li key={id}>
            <Link to="/deliveries" search={{ open: id } as never}>
              <code>{webhookId}</code>
            </Link>
            <Badge state={status} />
          </li>
        ))}
      </ul>
      <h3>Body</h3>
      <JsonView value={event} label="As it is delivered" />
    </>
  );
}
