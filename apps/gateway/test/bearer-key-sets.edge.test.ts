import { readMetric, waitFor } from "@gateway/testkit";
import type { RequestListener } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Answer } from "./support/http-client.ts";
import { createTestSigningKey, type TestSigningKey } from "./support/signing-key.ts";
import { bearer, createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

describe("an identity provider that answers for its keys with", () => {
  let grant: TestGrant;
  const strangers = createTestSigningKey();
  const freshClient = createFreshClients();

  const issuer = useIssuer();
  const gateway = useGateway({ issuer, env: behindProxy, keySetRefreshMs: 20 });
  beforeAll(async () => {
    grant = await createTestGrant(gateway, await gateway.createAccount());
  });

  const call = (token: string): Promise<Answer> =>
    gateway.call({ target: "/api/v1/account", headers: { ...freshClient(), ...bearer(token) } });
  const failures = async (): Promise<number> =>
    (await readMetric(gateway.metricsPort, "gateway_signing_keys_failures_total")).get("") ?? 0;

  test.each<[string, (own: TestSigningKey) => RequestListener]>([
    ["500", () => (_req, res) => void res.writeHead(500).end("{}")],
    [
      "a redirect, which is not followed",
      ({ jwk }) =>
        (req, res) =>
          req.url === "/moved"
            ? void res.end(JSON.stringify({ keys: [jwk] }))
            : void res.writeHead(302, { Location: "/moved" }).end(),
    ],
    ["a page", () => (_req, res) => void res.end("<html>")],
    ["null", () => (_req, res) => void res.end("null")],
    ["keys that are no list", () => (_req, res) => void res.end('{"keys":{}}')],
    ["an empty set", () => (_req, res) => void res.end('{"keys":[]}')],
    [
      "more than 64 KiB",
      ({ jwk }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ filler: "a".repeat(70_000), keys: [jwk] })),
    ],
    [
      "two keys of one name",
      ({ jwk }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [jwk, createTestSigningKey({ kid: jwk.kid }).jwk] })),
    ],
    [
      "a private key",
      ({ kid, privateKey }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [{ ...privateKey.export({ format: "jwk" }), kid }] })),
    ],
    [
      "a key for encryption",
      ({ jwk }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [{ ...jwk, use: "enc" }] })),
    ],
    [
      "a key of another algorithm",
      ({ jwk }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [{ ...jwk, alg: "PS256" }] })),
    ],
    [
      "a key of 1,024 bits",
      ({ kid }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [createTestSigningKey({ kid, bits: 1024 }).jwk] })),
    ],
    [
      "a secret, as if it were a key",
      ({ kid }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [{ kty: "oct", kid, k: "c2VjcmV0" }] })),
    ],
    [
      "a key without a name",
      ({ jwk }) =>
        (_req, res) =>
          void res.end(JSON.stringify({ keys: [{ ...jwk, kid: undefined }] })),
    ],
  ])("%s: nothing of it is believed, and known keys count on", async (_name, answerFor) => {
    const known = await mintToken(issuer, grant);
    expect((await call(known)).status).toBe(200);
    const before = await failures();
    const other = createTestSigningKey({ pair: strangers });
    issuer.answerWith(answerFor(other));
    await waitFor(async () => (await failures()) > before);
    expect((await call(await mintToken(issuer, grant, { key: other }))).status).toBe(503);
    expect((await call(known)).status).toBe(200);
    issuer.answerWith(null);
    const asked = issuer.requestCount();
    await waitFor(() => issuer.requestCount() > asked + 1);
  });
});
