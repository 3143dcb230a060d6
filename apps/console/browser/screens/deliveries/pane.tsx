import type { DataOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { act, Actions } from "../../parts/dialog/actions.tsx";
import { NameLink, Who } from "../../parts/names/names.tsx";
import { CopyableId, DeliveryState, IdLink, Time, Facts } from "../../parts/shown/values.tsx";
import { JsonView, CodeBlock } from "../../parts/shown/code-block.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Timeline } from "./timeline.tsx";
import { signatureHeaderName } from "@gateway/webhooks";
import { visibleJson } from "../../data/snippets.ts";
import { signedCurlOf, type SentCall } from "./signed-curl.ts";

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

function CausedBy({ requestId }: { requestId: string | null }) {
  const { data } = useCall(
    { operationId: "getRequestLog", path: { requestId: requestId ?? "" } },
    { isWanted: requestId !== null, everyMs: 0 },
  );
  if (requestId === null) {
    return <span>no request: a timer or an external system</span>;
  }
  const request = data?.data;
  return (
    <span>
      <IdLink to="/logs" open={requestId} />
      {request && (
        <>
          {" "}
          {request.method} {request.path.replace(/^\/api\/v1/, "")} {request.status},{" "}
          <Who who={request.caller} hasKind />
        </>
      )}
    </span>
  );
}

type Options = { delivery: DataOf<"getDelivery">; event: DataOf<"getEvent"> };

/** The headers of the last attempt, and the same POST for a shell, signed there with the owner's secret. */
function Sent({ delivery, event }: Options) {
  const webhook = useCall({ operationId: "getWebhook", path: { webhookId: delivery.webhookId } }, { everyMs: 0 });
  const { data } = webhook;
  const headers = headersOf(delivery);
  return (
    <>
      <h3>Headers</h3>
      <dl className="facts headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <FailedPart of={webhook} />
      {data && <SignedCurl url={data.data.url} requestId={delivery.requestId} body={visibleJson(event)} />}
    </>
  );
}

function headersOf({ attempts, requestId }: Options["delivery"]): (readonly [string, string])[] {
  const startedAt = attempts.at(-1)?.startedAt;
  return [
    ["Content-Type", "application/json"],
    ["User-Agent", "Gateway-Webhooks/1"],
    [signatureHeaderName, startedAt === undefined ? "t=…,v1=…" : `t=${Math.floor(Date.parse(startedAt) / 1000)},v1=…`],
    ...(requestId === null ? [] : [["X-Request-Id", requestId] as const]),
  ];
}

function SignedCurl(sent: SentCall) {
  const text = signedCurlOf(sent);
  return (
    <details className="as-code">
      <summary>Send it yourself</summary>
      <CodeBlock text={text} label="The delivery, as curl" bar="curl, signed with $WEBHOOK_SECRET" />
    </details>
  );
}
