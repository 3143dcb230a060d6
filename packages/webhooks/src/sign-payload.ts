import { webCryptoHmac, type Hmac } from "./hmac.ts";
import { formatSignatureHeader, isTimestampSeconds } from "./signature-header.ts";
import { requireSecrets } from "./require-secrets.ts";
import { bytesOf, signedMessage, type RawBody } from "./signed-message.ts";

export type SignInput = {
  /** The bytes that are sent: sign what goes out, not what it was made from. */
  body: RawBody;
  /** The new one first; during the overlap of a rotation there are two. */
  secrets: readonly string[];
  /** The time of this attempt, in whole Unix seconds. */
  timestampSeconds: number;
};

/**
 * The value of the header X-Service-Signature: one `v1` for each secret, in their order. Throws a RangeError for a
 * timestamp that is not in seconds, an Error without secrets or with an empty one. On Node hand in `(secret, message)
 * => createHmac("sha256", secret).update(message).digest("hex")` of node:crypto as `hmac` where many are signed.
 */
export async function signPayload(
  { body, secrets, timestampSeconds }: SignInput,
  { hmac = webCryptoHmac }: { hmac?: Hmac } = {},
): Promise<string> {
  if (!isTimestampSeconds(timestampSeconds)) {
    throw new RangeError(`The timestamp ${timestampSeconds} is not in whole Unix seconds.`);
  }
  requireSecrets(secrets);
  const bytes = bytesOf(body);
  if (!bytes) {
    throw new TypeError("The body to sign must be text or bytes.");
  }
  const message = signedMessage(timestampSeconds, bytes);
  const signatures: string[] = [];
  for (const secret of secrets) {
    signatures.push(await hmac(secret, message));
  }
  return formatSignatureHeader({ timestampSeconds, signatures });
}
