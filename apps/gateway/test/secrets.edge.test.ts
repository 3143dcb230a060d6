import { createApiKeySecret } from "@gateway/platform/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { askRaw } from "./support/raw-http.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const wallets = "/api/v1/wallets";

describe.each(["an API key", "an access token"] as const)("%s that comes to the wrong place", (kind) => {
  const issuer = useIssuer();
  const gateway = useGateway({ issuer, env: behindProxy });
  let key: string;
  /** A working secret, because a leak of it would matter. */
  let secret: string;
  /** Parts of the secret that must not be found in the response, the log or the database. */
  let parts: string[];
  const freshClient = createFreshClients();

  beforeAll(async () => {
    const account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
    if (kind === "an API key") {
      ({ secret } = await gateway.createKey(account, "admin"));
      parts = [secret.slice(8, 26)];
    } else {
      secret = await mintToken(issuer, await createTestGrant(gateway, account));
      const [, claims = "", signature = ""] = secret.split(".");
      parts = [claims.slice(10, 30), claims.slice(-20), signature.slice(0, 20), signature.slice(-20)];
    }
  });

  const encodings: [string, (text: string) => string][] = [
    ["as it is", (text) => text],
    ["cut in the middle", (text) => text.slice(0, Math.ceil(text.length * 0.6))],
    ["with encoded underscores and dots", (text) => text.replaceAll("_", "%5F").replaceAll(".", "%2E")],
    ["wholly percent-encoded", (text) => text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
  ];
  const get = (headers: Ask["headers"]) => ({ target: wallets, headers });
  const post = (body: unknown, headers: Ask["headers"] = {}) => ({
    method: "POST",
    target: wallets,
    key,
    headers,
    body,
  });
  const wallet = { name: "a", currency: "EUR" };
  const places: [string, (written: string) => Ask & { key?: string }][] = [
    ["the value of an unknown query parameter", (written) => ({ target: `${wallets}?api_key=${written}`, key })],
    ["the value of a known query parameter", (written) => ({ target: `${wallets}?cursor=${written}`, key })],
    ["the name of a query parameter", (written) => ({ target: `${wallets}?${written}=1`, key })],
    ["the query of a path that is not there", (written) => ({ target: `/callback?key=${written}` })],
    ["the path", (written) => ({ target: `/${written}` })],
    ["the place of an id", (written) => ({ target: `${wallets}/${written}`, key })],
    ["a header of its own", (written) => get({ "X-Secret": written })],
    ["Authorization", (written) => get({ Authorization: `Bearer ${written}x` })],
    ["Authorization of another scheme", (written) => get({ Authorization: `Token ${written}` })],
    ["X-API-Key", (written) => get({ "X-API-Key": `${written}x` })],
    ["a cookie", (written) => get({ Cookie: `key=${written}` })],
    ["Referer", (written) => get({ Referer: `https://example.com/?k=${written}` })],
    ["Content-Encoding", (written) => post({}, { "Content-Encoding": written })],
    ["Content-Type", (written) => post("{}", { "Content-Type": written })],
    ["Idempotency-Key of a refused request", (written) => post({}, { "Idempotency-Key": written })],
    ["Host", (written) => get({ Host: written })],
    ["a known field of the body", (written) => post({ name: written, currency: written })],
    ["the name of a field", (written) => post({ ...wallet, [written]: 1 })],
    ["the name of a metadata entry", (written) => post({ ...wallet, metadata: { [`${written} `]: "a" } })],
    ["broken JSON", (written) => post(written, { "Content-Type": "application/json" })],
    ["twice the header of its own", (written) => get({ "X-API-Key": [written, written] })],
  ];

  describe.each(places)("%s", (_, ask) => {
    test.each(encodings)("%s: neither the answer nor the log has it", async (_encoding, write) => {
      const request = ask(write(secret));
      const seen = gateway.logLines.length;
      const answer = await gateway.call({ ...request, headers: { ...freshClient(), ...request.headers } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectNoTrace(answer, gateway.logLines.slice(seen).join(""));
    });
  });

  test.each([
    "GET /wallets?k=SECRET HTTP/9.9",
    "SECRET / HTTP/1.1",
    "GET /\tSECRET HTTP/1.1",
    "GET / HTTP/1.1\r\nSECRET",
  ])("%j, which is no HTTP: neither the answer nor the log has it", async (lines) => {
    const seen = gateway.logLines.length;
    const answer = await askRaw(gateway.port, `${lines.replace("SECRET", secret)}\r\n\r\n`);
    expectOurAnswer(answer, {});
    expect(answer.status).toBe(400);
    expectNoTrace(answer, gateway.logLines.slice(seen).join(""));
  });

  /** Searches for the random parts, in upper and lower case. */
  function expectNoTrace(answer: Answer, log: string): void {
    const said = [answer.text, JSON.stringify(answer.headers), log].join("\n").toLowerCase();
    expect(log).not.toBe("");
    expect(parts.filter((part) => said.includes(part.toLowerCase()))).toEqual([]);
  }
});

describe("a crash in an operation", () => {
  const innermost = "connect to postgres://gateway:hunter2@db:5432 failed";
  const secret = createApiKeySecret(false);
  const text = `select * from api_keys where secret = '${secret}' in /srv/app.ts`;
  const crash = async (): Promise<never> => {
    throw new Error(text, { cause: new Error(innermost) });
  };
  const gateway = useGateway({ operationTable: { ...operationTable, listWallets: crash, createWallet: crash } });
  let key: string;
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });

  test.each([
    { method: "GET", target: wallets },
    { method: "POST", target: wallets, body: { name: "a", currency: "EUR" } },
    { method: "POST", target: wallets, body: { name: "a", currency: "EUR" }, headers: { "Idempotency-Key": "k" } },
  ])("$method answers code, message and request id, and nothing of the cause", async (request) => {
    const answer = await gateway.call({ ...request, key });
    expect(answer).toMatchObject({
      status: 500,
      json: { error: { code: "INTERNAL_ERROR", message: expect.stringMatching(/^Something failed on our side/) } },
    });
    expect(answer.text).not.toMatch(/select|api_keys|gk_|\.ts|Error:|stack|hunter2|postgres/i);
  });

  test("the log tells the cause under the request id, without the secret", async () => {
    const { headers } = await gateway.call({ target: wallets, key });
    const lines = gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find(({ requestId }) => requestId === headers["x-request-id"]);
    const failure = { operation: "listWallets", status: 500, code: "INTERNAL_ERROR" };
    expect(line).toMatchObject({ level: "error", ...failure, err: { stack: expect.any(String) } });
    expect(JSON.stringify(line)).toContain("select * from api_keys");
    expect(JSON.stringify(line)).toContain("gk_test_[masked]");
    expect(gateway.logLines.join("")).not.toContain(secret.slice(8));
    expect(gateway.logLines.join("")).not.toContain(key.slice(8));
  });

  test("the gateway goes on", async () => {
    expect((await gateway.call({ target: "/api/v1/account", key })).status).toBe(200);
  });
});

describe("a dump of the database", () => {
  test("holds no API key: none that was created, rolled, replayed, revoked or used", async () => {
    const gateway = await startTestGateway();
    const first = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
    const make = async (target: string, body: object): Promise<{ id: string; secret: string }> => {
      const request = { method: "POST", target, key: first, body, headers: { "Idempotency-Key": target } };
      await gateway.call(request);
      return ((await gateway.call(request)).json as { data: { id: string; secret: string } }).data;
    };
    const created = await make("/api/v1/api-keys", { name: "CI", permission: "write" });
    const rolled = await make(`/api/v1/api-keys/${created.id}/roll`, { overlapSeconds: 60 });
    await gateway.call({ target: wallets, key: created.secret });
    await gateway.call({ method: "DELETE", target: `/api/v1/api-keys/${rolled.id}`, key: first });
    const dump = await dumpDatabase(gateway.database);
    await gateway.stop();
    expect(dump).toContain(created.id);
    for (const secret of [first, created.secret, rolled.secret]) {
      expect([secret, secret.slice(8), secret.slice(8, 40)].filter((text) => holdsText(dump, text))).toEqual([]);
    }
  });
});
