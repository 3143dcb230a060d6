import type { IncomingMessage } from "node:http";
import { signatureHeaderName, verifyWebhook, WebhookVerificationError } from "@gateway/webhooks";
import { readBody } from "./read-body.ts";

export type ReceiveDeliveryDeps = {
  /** Called at every delivery, so that a new secret counts at once. */
  readSecrets(): Promise<readonly string[]>;
  /** Unix seconds. */
  nowSeconds(): number;
  /** The file to which a person adds a missing secret. */
  secretFile: string;
};

export type DeliveryAnswer = {
  status: 200 | 400 | 405 | 413;
  /** For the terminal. */
  line: string;
  /** For the sender, whose delivery log shows it. */
  body: { received: true } | { received: false; reason: string };
};

/** Judges one request: 200 for an authentic event, 4xx for anything else. Rejects when the client disconnects. */
export async function receiveDelivery(req: IncomingMessage, deps: ReceiveDeliveryDeps): Promise<DeliveryAnswer> {
  if (req.method !== "POST") {
    return refuse(405, "method", "Deliveries are POST requests.");
  }
  const rawBody = await readBody(req);
  if (rawBody === null) {
    return refuse(413, "body_too_large", "Deliveries stay under 1 MB.");
  }
  const secrets = await deps.readSecrets();
  if (secrets.length === 0) {
    return refuse(400, "no_secret", `Put the secret of the webhook into ${deps.secretFile}.`);
  }
  const header = req.headers[signatureHeaderName.toLowerCase()];
  try {
    const event = await verifyWebhook(rawBody, header, secrets, { nowSeconds: deps.nowSeconds() });
    return { status: 200, line: `verified ${printable(event.type)} ${printable(event.id)}`, body: { received: true } };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) {
      throw error;
    }
    return refuse(400, error.reason, adviceFor(error, deps.secretFile));
  }
}

function adviceFor({ reason, message }: WebhookVerificationError, secretFile: string): string {
  return reason === "mismatch"
    ? `The signature fits no known secret. Put the secret of the webhook into ${secretFile}.`
    : message;
}

function refuse(status: 400 | 405 | 413, reason: string, advice: string): DeliveryAnswer {
  return { status, line: `refused: ${reason}. ${advice}`, body: { received: false, reason } };
}

/** Prevents a delivery from steering the terminal. */
function printable(text: string): string {
  return text.slice(0, 100).replaceAll(/[^\x21-\x7e]/g, "?");
}
