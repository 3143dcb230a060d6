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

  const saying =
    (body: string): RequestListener =>
    (_req, res) =>
      void res.end(body);
  const set = (...keys: object[]): RequestListener => saying(JSON.stringify({ keys }));
  const redirect =
    ({ jwk }: TestSigningKey): RequestListener =>
    (req, res) =>
      req.url === "/moved" ? set(jwk)(req, res) : void res.writeHead(302, { Location: "/moved" }).end();

  test.each<[string, (own: TestSigningKey) => RequestListener]>([
    ["500", () => (_req, res) => void res.writeHead(500).end("{}")],
    ["a redirect, which is not followed", redirect],
    ["a page", () => saying("<html>")],
    ["null", () => saying("null")],
    ["keys that are no list", () => saying('{"keys":{}}')],
    ["an empty set", () => set()],
    ["more than 64 KiB", ({ jwk }) => saying(JSON.stringify({ filler: "a".repeat(70_000), keys: [jwk] }))],
    ["two keys of one name", ({ jwk }) => set(jwk, createTestSigningKey({ kid: jwk.kid }).jwk)],
    ["a private key", ({ kid, privateKey }) => set({ ...privateKey.export({ format: "jwk" }), kid })],
    ["a key for encryption", ({ jwk }) => set({ ...jwk, use: "enc" })],
    ["a key of another algorithm", ({ jwk }) => set({ ...jwk, alg: "PS256" })],
    ["a key of 1,024 bits", ({ kid }) => set(createTestSigningKey({ kid, bits: 1024 }).jwk)],
    ["a secret, as if it were a key", ({ kid }) => set({ kty: "oct", kid, k: "c2VjcmV0" })],
    ["a key without a name", ({ jwk }) => set({ ...jwk, kid: undefined })],
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
