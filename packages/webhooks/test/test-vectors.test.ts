import { describe, expect, test } from "vitest";
import { createWebCryptoHmac, signPayload, verifySignature, webCryptoHmac } from "../src/index.ts";
import vectors from "../test-vectors.json" with { type: "json" };
import { nodeHmac } from "./support.ts";

const hmacs = { webCryptoHmac, kept: createWebCryptoHmac({ maxKeys: 1 }), nodeHmac };

describe.each(Object.entries(hmacs))("with the HMAC %s", (_name, hmac) => {
  test.each(vectors.accepted)("$name: signed as published, verified with each secret", async (vector) => {
    const { body, secrets, timestampSeconds, header } = vector;

    expect(await signPayload({ body, secrets, timestampSeconds }, { hmac })).toBe(header);
    const bytes = new TextEncoder().encode(body);
    expect(await signPayload({ body: bytes, secrets, timestampSeconds }, { hmac })).toBe(header);
    for (const secret of secrets) {
      const input = { header, secret, nowSeconds: timestampSeconds, hmac };
      expect(await verifySignature({ ...input, body })).toEqual({ isValid: true, timestampSeconds });
      expect(await verifySignature({ ...input, body: bytes })).toEqual({ isValid: true, timestampSeconds });
    }
  });

  test.each(vectors.refused)("$name: refused as $reason", async ({ body, secret, nowSeconds, header, reason }) => {
    expect(await verifySignature({ body, header, secret, nowSeconds, hmac })).toEqual({ isValid: false, reason });
  });
});
