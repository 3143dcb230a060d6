import { isEnvelope, type Envelope } from "./envelope.ts";
import { WebhookVerificationError } from "./signature-failure.ts";
import { textOf, type RawBody } from "./signed-message.ts";
import { judgeSignature, type VerifyInput, type VerifyOptions } from "./verify-signature.ts";

/**
 * The event of a delivery, once its signature is proved. `Event` names what the sender promises; the payload's fields
 * are not checked again here. Throws a WebhookVerificationError, whose `reason` is for programs and `message` for
 * people, and like verifySignature for a mistake of the caller.
 */
export async function verifyWebhook<Event extends Envelope<string, object> = Envelope>(
  rawBody: RawBody,
  header: VerifyInput["header"],
  secret: VerifyInput["secret"],
  options: VerifyOptions = {},
): Promise<Event> {
  const verdict = await judgeSignature({ ...options, body: rawBody, header, secret });
  if (typeof verdict === "string") {
    throw new WebhookVerificationError(verdict);
  }
  const event = parseEvent(verdict.bytes);
  if (!isEnvelope(event)) {
    throw new WebhookVerificationError("not_an_event");
  }
  // The envelope was checked; that the payload is as `Event` says is the promise of the sender, who signed it.
  return event as unknown as Event;
}

function parseEvent(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (cause) {
    throw new WebhookVerificationError("not_an_event", { cause });
  }
}
