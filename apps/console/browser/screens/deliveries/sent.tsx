import { signatureHeaderName } from "@gateway/webhooks";
import type { DataOf } from "../../data/calls.ts";
import { visibleJson } from "../../data/snippets.ts";
import { CodeBlock } from "../../parts/shown/code-block.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { signedCurlOf, type SentCall } from "./signed-curl.ts";

type Options = { delivery: DataOf<"getDelivery">; event: DataOf<"getEvent"> };

/** The headers of the last attempt, and the same POST for a shell, signed there with the owner's secret. */
export function Sent({ delivery, event }: Options) {
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
