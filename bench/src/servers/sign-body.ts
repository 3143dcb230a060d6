import { signatureHeaderName, signPayload, type Hmac } from "@gateway/webhooks";
import { createHmac, createSecretKey } from "node:crypto";

/** The headers of a delivery as the dispatcher sends them; the key is imported once, as there. */
export function createSigned(secret: string, body: string): () => Promise<Record<string, string>> {
  const key = createSecretKey(Buffer.from(secret));
  const hmac: Hmac = (_name, message) => createHmac("sha256", key).update(message).digest("hex");
  return async () => {
    const bytes = Buffer.from(body);
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const signature = await signPayload({ body: bytes, secrets: [secret], timestampSeconds }, { hmac });
    return {
      "Content-Type": "application/json",
      "User-Agent": "Gateway-Webhooks/1",
      [signatureHeaderName]: signature,
    };
  };
}
