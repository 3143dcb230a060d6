import { SignJWT } from "jose";
import { randomUUID } from "node:crypto";
import { sha256Of } from "./sha256.ts";

export type SendEventInput = {
  /** The operators' port of the gateway, which is not public: `http://gateway.internal:9464`. */
  gatewayUrl: string;
  /** That of `IDENTITY_UPSTREAM_SECRET` and the like. */
  secret: string;
  /** The service that this is: `identity`, `ledger`, … */
  service: string;
  /** Whether the gateway is production's. */
  livemode: boolean;
  /**
   * `id` is yours, and makes the event one: send it again with the same until it was taken. `object` is `data.object`
   * of the document.
   */
  event: { id: string; accountId: string; type: string; object: Record<string, unknown> };
  fetch?: typeof fetch;
  /** Tests move it. In ms since 1970. */
  now?: () => number;
};

/** `id`: under which the account finds it. `isNew`: false when it was taken before. */
export type SentEvent = { id: string; isNew: boolean };

const target = "/upstream/v1/events";
const timeoutMs = 10_000;

/**
 * Reports an event to the gateway: it becomes an event of the account, and goes to its webhooks. Rejects when it was
 * refused, or when the outcome is unknown. Send it again then: it is recorded once.
 */
export async function sendEvent(input: SendEventInput): Promise<SentEvent> {
  const { gatewayUrl, secret, service, livemode, event, fetch: send = fetch, now = Date.now } = input;
  const body = JSON.stringify(event);
  const issuedAt = Math.floor(now() / 1000);
  const token = await new SignJWT({ livemode, method: "POST", target, bodySha256: sha256Of(body) })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(service)
    .setAudience("gateway")
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 60)
    .sign(new TextEncoder().encode(secret));
  const answer = await send(new URL(target, gatewayUrl), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Gateway-Principal": token },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(`The gateway did not take the event ${event.id} (${answer.status}): ${text.slice(0, 500)}`);
  }
  // The gateway's successful response to this request has this envelope.
  return (JSON.parse(text) as { data: SentEvent }).data;
}
