import { verifyWebhook as verify } from "@gateway/webhooks";
import type { WebhookEvent } from "./webhook-event.ts";

export type VerifyWebhookOptions = {
  /** How far the signature's time may be from now, either way; 300 if left out. */
  toleranceSeconds?: number;
  /** Unix time; now, if left out. */
  nowSeconds?: number;
};

/**
 * The event of a delivery, once its signature is verified. `rawBody` is the body as it came, `header` the value of
 * X-Service-Signature. `secret` is that of the webhook, or several during a roll. Throws a WebhookVerificationError,
 * whose `reason` is for programs: respond with 400 then. Deliveries come at least once: ignore an `id` that you have
 * handled.
 */
export const verifyWebhook: (
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | readonly string[] | null | undefined,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
) => Promise<WebhookEvent> = verify;
