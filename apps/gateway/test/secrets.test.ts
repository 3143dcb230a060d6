import { createApiKeySecret, type Account } from "@gateway/platform";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { askRaw } from "./support/raw-http.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";

describe("a secret that comes to the wrong place", () => {
  let gateway: TestGateway;
  let account: Account;
  let key: string;
  /** A key that works: a leak of it would matter. */
  let secret: string;
  const freshClient = createFreshClients();

  beforeAll(async () => {
    gateway = await startTestGateway({ env: behindProxy });
    account = await gateway.createAccount();
    [{ secret: key }, { secret }] = await Promise.all([
      gateway.createKey(account, "admin"),
      gateway.createKey(account, "admin"),
    ]);
  });
  afterAll(() => gateway.stop());

  const encodings: [string, (text: string) => string][] = [
    ["as it is", (text) => text],
    ["cut in the middle", (text) => text.slice(0, 30)],
    ["with an encoded underscore", (text) => text.replaceAll("_", "%5F")],
    ["wholly percent-encoded", (text) => text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
  ];
  const places: [string, (written: string) => Ask & { key?: string }][] = [
    ["the value of an unknown query parameter", (written) => ({ target: `${wallets}?api_key=${written}`, key })],
    ["the value of a known query parameter", (written) => ({ target: `${wallets}?cursor=${written}`, key })],
    ["the name of a query parameter", (written) => ({ target: `${wallets}?${written}=1`, key })],
    ["the query of a path that is not there", (written) => ({ target: `/callback?key=${written}` })],
    ["the path", (written) => ({ target: `/${written}` })],
    ["the place of an id", (written) => ({ target: `${wallets}/${written}`, key })],
    ["a header of its own", (written) => ({ target: wallets, headers: { "X-Secret": written } })],
    ["Authorization", (written) => ({ target: wallets, headers: { Authorization: `Bearer ${written}` } })],
    ["a cookie", (written) => ({ target: wallets, headers: { Cookie: `key=${written}` } })],
    ["Referer", (written) => ({ target: wallets, headers: { Referer: `https://example.com/?k=${written}` } })],
    [
      "Content-Encoding",
      (written) => ({ method: "POST", target: wallets, key, headers: { "Content-Encoding": written }, body: {} }),
    ],
    [
      "Content-Type",
      (written) => ({ method: "POST", target: wallets, key, headers: { "Content-Type": written }, body: "{}" }),
    ],
    [
      "Idempotency-Key of a refused request",
      (written) => ({ method: "POST", target: wallets, key, headers: { "Idempotency-Key": written }, body: {} }),
    ],
    ["Host", (written) => ({ target: wallets, headers: { Host: written } })],
    [
      "a known field of the body",
      (written) => ({ method: "POST", target: wallets, key, body: { name: written, currency: written } }),
    ],
    [
      "the name of a field",
      (written) => ({ method: "POST", target: wallets, key, body: { name: "a", currency: "EUR", [written]: 1 } }),
    ],
    [
      "the name of a metadata entry",
      (written) => ({
        method: "POST",
        target: wallets,
        key,
        body: { name: "a", currency: "EUR", metadata: { [`${written} `]: "a" } },
      }),
    ],
    [
      "broken JSON",
      (written) => ({
        method: "POST",
        target: wallets,
        key,
        headers: { "Content-Type": "application/json" },
        body: written,
      }),
    ],
    ["twice the header of its own", (written) => ({ target: wallets, headers: { "X-API-Key": [written, written] } })],
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

  /** Not the random part of the key, in any case of its letters. */
  function expectNoTrace(answer: Answer, log: string): void {
    const random = secret.slice(8, 26).toLowerCase();
    expect(log).not.toBe("");
    expect(
      [answer.text, JSON.stringify(answer.headers), log].filter((text) => text.toLowerCase().includes(random)),
    ).toEqual([]);
  }
});

describe("a crash in an operation", () => {
  const innermost = "connect to postgres://gateway:hunter2@db:5432 failed";
  let gateway: TestGateway;
  let key: string;
  let secret: string;

  beforeAll(async () => {
    secret = createApiKeySecret(false);
    const crash = async (): Promise<never> => {
      throw new Error(`select * from api_keys where secret = '${secret}' in /srv/app.ts`, {
        cause: new Error(innermost),
      });
    };
    gateway = await startTestGateway({
      operationTable: { ...operationTable, listWallets: crash, createWallet: crash },
    });
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });
  afterAll(() => gateway.stop());

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
    expect(line).toMatchObject({
      level: "error",
      operation: "listWallets",
      status: 500,
      code: "INTERNAL_ERROR",
      err: { stack: expect.any(String) },
    });
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
