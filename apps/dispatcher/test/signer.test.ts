import { createCipher } from "@gateway/kernel";
import { sealWebhookSecret } from "@gateway/platform/events";
import { verifySignature } from "@gateway/webhooks";
import { describe, expect, test } from "vitest";
import { createSigner, type SignableDelivery } from "../src/sending/signer.ts";

const cipher = createCipher([Buffer.alloc(32, 1)]);
const webhookId = "whk_1";
const body = Buffer.from('{"id":"evt_1"}');
const overlapEndsAtMs = Date.UTC(2026, 0, 1, 12);

const [current, previous] = ["whsec_new", "whsec_old"];
const rolled: SignableDelivery = {
  webhookId,
  secret: sealWebhookSecret(cipher, webhookId, current),
  previousSecret: sealWebhookSecret(cipher, webhookId, previous),
  previousSecretEndsAt: new Date(overlapEndsAtMs),
};

/** The secrets that the header verifies with, in the order of its signatures. */
async function listSigners(delivery: SignableDelivery, nowMs: number): Promise<string[]> {
  const header = await createSigner(cipher)(delivery, body, nowMs);
  const [timestamp, ...signatures] = header.split(",");
  const signers = signatures.map(async (signature) => {
    const results = [current, previous].map(async (secret) => ({
      secret,
      ...(await verifySignature({ body, header: `${timestamp},${signature}`, secret, nowSeconds: nowMs / 1000 })),
    }));
    return (await Promise.all(results)).find(({ isValid }) => isValid)?.secret ?? "no secret";
  });
  return Promise.all(signers);
}

describe("a secret that was rolled", () => {
  test("signs first and the secret before second, until the last moment of the overlap", async () => {
    expect(await listSigners(rolled, overlapEndsAtMs - 1_000)).toEqual([current, previous]);
    expect(await listSigners(rolled, overlapEndsAtMs - 1)).toEqual([current, previous]);
  });

  test("signs alone once the overlap has ended", async () => {
    expect(await listSigners(rolled, overlapEndsAtMs)).toEqual([current]);
  });

  test("signs alone where there was no overlap", async () => {
    const alone = { ...rolled, previousSecret: null, previousSecretEndsAt: null };
    expect(await listSigners(alone, overlapEndsAtMs - 1_000)).toEqual([current]);
  });
});

test("a signature carries the whole second in which it is made", async () => {
  expect(await createSigner(cipher)(rolled, body, overlapEndsAtMs + 999)).toMatch(/^t=1767268800,v1=/);
});

test("a secret that was moved to another webhook signs nothing", async () => {
  const moved = { ...rolled, webhookId: "whk_2" };
  await expect(async () => createSigner(cipher)(moved, body, overlapEndsAtMs)).rejects.toThrow();
});
