import type { Cipher } from "@gateway/kernel";
import { randomBytes } from "node:crypto";

/** A new webhook secret: `whsec_` and 32 random bytes in base64url. The whole text is the key of the HMAC. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** Encrypts a secret for the row of its webhook; moved to another row, it does not open. */
export function sealWebhookSecret(cipher: Pick<Cipher, "seal">, webhookId: string, secret: string): Buffer {
  return cipher.seal(Buffer.from(secret), webhookSecretContext(webhookId));
}

export function openWebhookSecret(cipher: Pick<Cipher, "open">, webhookId: string, sealed: Uint8Array): string {
  return cipher.open(sealed, webhookSecretContext(webhookId)).toString();
}

export function webhookSecretContext(webhookId: string): string {
  return `webhook secret ${webhookId}`;
}
