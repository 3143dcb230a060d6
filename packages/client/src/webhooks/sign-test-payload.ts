import { signatureHeaderName, signPayload } from "@gateway/webhooks";
import type { WebhookEvent } from "./webhook-event.ts";

/** The request to POST to a receiver under test. */
export type SignedTestPayload = { body: string; headers: Record<string, string> };

/**
 * Signs an event as the gateway does, for the tests of your receiver: `fetch(url, { method: "POST", ...await
 * signTestPayload(event, secret) })`. Text is signed as it is. `nowSeconds` is Unix time; now, if left out.
 */
export async function signTestPayload(
  event: WebhookEvent | string,
  secret: string,
  { nowSeconds = Math.floor(Date.now() / 1000) }: { nowSeconds?: number } = {},
): Promise<SignedTestPayload> {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const signature = await signPayload({ body, secrets: [secret], timestampSeconds: nowSeconds });
  return { body, headers: { "Content-Type": "application/json", [signatureHeaderName]: signature } };
}
