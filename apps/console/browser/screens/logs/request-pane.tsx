import { useEffect, useRef } from "react";
import { faultOf, type ItemOf, operations } from "../../data/calls.ts";
import { type LoggedRequest, callOfLogged } from "../../data/logged-call.ts";
import { AsCode, CodeOf } from "../../parts/shown/as-code.tsx";
import { Badge, CopyableId, DeliveryState, Time, IdLink, type Tone, Facts } from "../../parts/shown/values.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { Who, Name, shortId, nounOf } from "../../parts/names/names.tsx";
import { Loaded, Empty, FailedPart } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useOperationForm } from "../../parts/call/use-operation-form.ts";

export function RequestPane({ id }: { id: string }) {
  const call = { operationId: "getRequestLog", path: { requestId: id } } as const;
  const query = useCall(call, { everyMs: 0 });
  if (query.data === undefined && query.isError && faultOf(query.error).code === "NOT_FOUND") {
    return <NotListed id={id} retry={() => void query.refetch()} />;
  }
  return (
    <Loaded of={query}>
      {({ data }) => (
        <>
          <Request request={data} />
          <AsCode call={call} />
        </>
      )}
    </Loaded>
  );
}

const triesMs = [1000, 2000, 4000];

/**
 * A user who follows the id of a request that just failed may be faster than the log. The pane then looks again by
 * itself.
 */
function NotListed({ id, retry }: { id: string; retry(): void }) {
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    const timers = triesMs.map((ms) => setTimeout(() => latest.current(), ms));
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, []);
  return (
    <Empty
      title="This request is not in the log"
      action={
        <button type="button" className="button" onClick={retry}>
          Look again
        </button>
      }
    >
      <code className="break">{id}</code> is listed within a second of its response and kept for 30 days. It may belong
      to another account, or it carried no credential of this one.
    </Empty>
  );
}

function Request({ request }: { request: LoggedRequest }) {
  const { method, path, status, code, details, eventIds, id } = request;
  return (
    <>
      <h2 className="request-title">
        <span>
          <code>
            {method} {path}
          </code>
        </span>
        <Badge state={String(status)} tone={statusTone(status)} />
      </h2>
      {(code !== null || details.length > 0) && <Refusal request={request} />}
      <RequestFacts request={request} />
      {eventIds.length > 0 && <Consequences id={id} eventIds={eventIds} />}
      <RequestAsCode request={request} />
    </>
  );
}

/** The broken rule, never the value that broke it. */
function Refusal({ request: { code, details } }: { request: LoggedRequest }) {
  const { addresses } = useSession();
  return (
    <section className="refusal" aria-label="Why it was refused">
      {code !== null && (
        <p>
          <code>{code}</code>{" "}
          {addresses.docs !== null && <a href={`${addresses.docs}/errors/${code}`}>What this means</a>}
        </p>
      )}
      {details.length > 0 && (
        <ul>
          {details.map(({ field, issue }) => (
            <li key={`${field} ${issue}`}>
              <code>{field}</code> <bdi>{issue}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RequestFacts({ request }: { request: LoggedRequest }) {
  const { id, startedAt, rateLimit, repeats, query, userAgent, answered, idempotencyReplayed, source } = request;
  return (
    <Facts
      rows={[
        ["Id", <CopyableId key="id" id={id} />],
        ["Came", <Time key="at" at={startedAt} seconds />],
        ["Took", `${request.durationMs.toFixed(1)} ms`],
        ["Operation", <Operation key="operation" operationId={request.operationId} />],
        query !== null && [
          "Query",
          <code key="query" className="break">
            {query}
          </code>,
        ],
        ["Caller", <Who key="caller" who={request.caller} hasKind />],
        ["From", source === "console" ? "this console" : "a program"],
        [
          "Rate limit",
          rateLimit === null ? (
            "not counted"
          ) : (
            <span key="limit">
              {rateLimit.remaining} of {rateLimit.limit} left, until <Time at={rateLimit.resetsAt} seconds />
            </span>
          ),
        ],
        ["Body", bytes(request.requestBytes)],
        ["Answer", bytes(request.responseBytes)],
        !answered && ["Answered", "no: the caller disconnected first"],
        idempotencyReplayed && ["Replayed", "yes: the first response of its Idempotency-Key, and no work was done"],
        repeats > 0 && ["Stands for", `${repeats + 1} alike of the same moment`],
        [
          "User agent",
          userAgent && (
            <bdi key="agent" className="break">
              {userAgent}
            </bdi>
          ),
        ],
      ]}
    />
  );
}

function Operation({ operationId }: { operationId: string | null }) {
  const { addresses } = useSession();
  const { form } = useOperationForm(operationId);
  if (operationId === null) {
    return <span>none: the path does not match an operation</span>;
  }
  return (
    <span>
      <code>{operationId}</code>{" "}
      {form && addresses.docs !== null && <a href={addresses.docs + form.reference}>Documentation</a>}
    </span>
  );
}

function bytes(count: number | null): string {
  return count === null ? "none" : `${count.toLocaleString("en")} bytes`;
}

function Consequences({ id, eventIds }: { id: string; eventIds: readonly string[] }) {
  const deliveries = useCall({ operationId: "listDeliveries", query: { requestId: id } }, { isWhole: true });
  const events = useCall({ operationId: "listEvents", query: { requestId: id } }, { isWhole: true, everyMs: 0 });
  const typeOf = new Map(events.data?.data.map((event) => [event.id, event.type]));
  return (
    <section aria-label="Events that it caused">
      <h3>Events</h3>
      <FailedPart of={deliveries} />
      <FailedPart of={events} />
      <ul className="lines">
        {eventIds.map((eventId) => (
          <li key={eventId} className="consequence">
            <span>
              <code>{typeOf.get(eventId)}</code> <IdLink to="/events" open={eventId} />
            </span>
            <span className="consequence-deliveries">
              {deliveries.data?.data
                .filter((delivery) => delivery.eventId === eventId)
                .map((delivery) => (
                  <DeliveryLink key={delivery.id} delivery={delivery} />
                ))}
              {deliveries.data?.meta.hasMore === false &&
                !deliveries.data.data.some((delivery) => delivery.eventId === eventId) && (
                  <span className="faint">no webhook asked for it</span>
                )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DeliveryLink({ delivery }: { delivery: ItemOf<"listDeliveries"> }) {
  return (
    <span>
      <IdLink
        to="/deliveries"
        open={delivery.id}
        text={
          <>
            delivery to <Name noun="webhook" id={delivery.webhookId} />
          </>
        }
      />{" "}
      <DeliveryState of={delivery} />
    </span>
  );
}

/** The request as curl and TypeScript. What was not kept is the document's, and said to be. */
function RequestAsCode({ request }: { request: LoggedRequest }) {
  const { form } = useOperationForm(request.operationId);
  const call = form ? callOfLogged(request, operations, form.body?.examples[0]?.value) : null;
  if (call === null) {
    return null;
  }
  const isCut = `${request.path}${decodeURIComponent(request.query ?? "")}`.includes("…");
  return (
    <section aria-label="The request as code">
      <h3>The same request</h3>
      <p className="faint code-note">
        {call.body !== undefined && "Bodies are not kept: this one is the example of the documentation. "}
        {isCut && "A value shown as … was not kept. "}
        {request.idempotencyReplayed && "With the same Idempotency-Key it does nothing. "}
      </p>
      <CodeOf call={call} />
    </section>
  );
}

export function Caller({ caller: { id }, source }: Pick<ItemOf<"listRequestLogs">, "caller" | "source">) {
  const noun = nounOf(id);
  return (
    <span className="cut log-caller" title={id}>
      {source === "console" ? "console" : noun === null ? <code>{shortId(id)}</code> : <Name noun={noun} id={id} />}
    </span>
  );
}

export function statusTone(status: number): Tone {
  return status >= 500 ? "bad" : status >= 400 ? "wait" : "good";
}
