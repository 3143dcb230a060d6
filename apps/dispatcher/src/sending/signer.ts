import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { Cipher } from "@gateway/kernel";
import { openWebhookSecret, type DueDelivery } from "@gateway/platform/events";
import { signPayload, type Hmac } from "@gateway/webhooks";
import { dropOldest } from "./drop-oldest.ts";

export type SignableDelivery = Pick<DueDelivery, "webhookId" | "secret" | "previousSecret" | "previousSecretEndsAt">;

/** The value of the signature header for `body` at this moment. Rejects when a secret cannot be decrypted. */
export type Signer = (delivery: SignableDelivery, body: Uint8Array, nowMs: number) => Promise<string>;

/** Number of secrets whose key is kept. Opening and importing one takes five times as long as the signature. */
const maxKeys = 2_000;

/** Signs with the webhook's secret and, until its overlap ends, with the previous one; the new one first. */
export function createSigner(cipher: Pick<Cipher, "open">): Signer {
  const keys = new Map<string, KeyObject>();
  const keyOf = (webhookId: string, sealed: Buffer): string => {
    // A secret is never sealed to the same bytes twice, so the bytes name the key.
    const name = sealed.toString("latin1");
    if (!keys.has(name)) {
      keys.set(name, createSecretKey(Buffer.from(openWebhookSecret(cipher, webhookId, sealed))));
      dropOldest(keys, maxKeys);
    }
    return name;
  };
  const hmac: Hmac = (name, message) => {
    const key = keys.get(name);
    if (!key) {
      throw new Error("The key of a webhook secret is gone.");
    }
    return createHmac("sha256", key).update(message).digest("hex");
  };
  return ({ webhookId, secret, previousSecret, previousSecretEndsAt }, body, nowMs) => {
    const names = [keyOf(webhookId, secret)];
    if (previousSecret && previousSecretEndsAt && previousSecretEndsAt.getTime() > nowMs) {
      names.push(keyOf(webhookId, previousSecret));
    }
    return signPayload({ body, secrets: names, timestampSeconds: Math.floor(nowMs / 1000) }, { hmac });
  };
}
