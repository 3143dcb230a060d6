import type { Account, ApiKeyWithSecret } from "@gateway/platform/accounts";
import { readMetric, waitFor } from "@gateway/testkit";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { dataOf, invalid, refused } from "./support/answers.ts";
import { bearer, createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type Logged = {
  id: string;
  startedAt: string;
  durationMs: number;
  method: string;
  path: string;
  operationId: string | null;
  status: number;
  code: string | null;
  caller: { kind: string; id: string; personId: string | null };
  source: string;
  idempotencyReplayed: boolean;
  repeats: number;
};

let account: Account;
let key: ApiKeyWithSecret;

const issuer = useIssuer();
const gateway = useGateway({ issuer });

/** An account of its own for each test. */
async function begin(): Promise<void> {
  account = await gateway.createAccount();
  key = await gateway.createKey(account, "admin");
}

const call = (method: string, target: string, body?: object, headers?: Record<string, string>) =>
  gateway.call({ method, target, key: key.secret, ...(body && { body }), ...(headers && { headers }) });

const list = async (query = "", secret = key.secret): Promise<Logged[]> => {
  const target = `/api/v1/request-logs?limit=100${query}`;
  return dataOf(await gateway.call({ method: "GET", target, key: secret }));
};

const whenListed = (requestId: string | undefined): Promise<Logged> =>
  waitFor(async () => (await list()).find(({ id }) => id === requestId), { intervalMs: 50 });

const idOf = (answer: { headers: Record<string, unknown> }): string => String(answer.headers["x-request-id"]);

const detailOf = async (requestId: string) =>
  dataOf<Record<string, unknown>>(await call("GET", `/api/v1/request-logs/${requestId}`));

test("a request is listed after its answer, with who asked and what came of it", async () => {
  await begin();
  const created = await call("POST", "/api/v1/wallets", { name: "Payroll", currency: "EUR" });
  const requestId = idOf(created);

  expect(await whenListed(requestId)).toMatchObject({
    id: requestId,
    method: "POST",
    path: "/api/v1/wallets",
    operationId: "createWallet",
    status: 201,
    code: null,
    caller: { kind: "apiKey", id: key.id, personId: null },
    source: "api",
    idempotencyReplayed: false,
    repeats: 0,
  });
  const [event] = dataOf<{ id: string }[]>(await call("GET", "/api/v1/events"));
  expect(await detailOf(requestId)).toMatchObject({
    query: null,
    details: [],
    rateLimit: { limit: 1_000_000 },
    requestBytes: JSON.stringify({ name: "Payroll", currency: "EUR" }).length,
    responseBytes: Number(created.headers["content-length"]),
    answered: true,
    eventIds: [event?.id],
  });
});

test("a refusal says the field and the rule; what fits the document says its parameters, without a cursor", async () => {
  await begin();
  const refusal = await call("POST", "/api/v1/wallets", { name: "Payroll", currency: "hunter2hunter2" });
  const page = await call("GET", "/api/v1/wallets?limit=7&status=active");
  await whenListed(idOf(page));

  const detail = await detailOf(idOf(refusal));
  expect(detail).toMatchObject({ status: 400, code: "INVALID_REQUEST", details: [{ field: "currency" }] });
  expect(JSON.stringify(detail)).not.toContain("hunter2");
  expect((await detailOf(idOf(page)))["query"]).toBe("limit=7&status=active");
});

test("a key that was revoked still names its account; one that never was is nobody's", async () => {
  await begin();
  const old = await gateway.createKey(account, "read");
  await call("DELETE", `/api/v1/api-keys/${old.id}`);
  const refusal = await gateway.call({ method: "GET", target: "/api/v1/wallets", key: old.secret });
  expect(refusal.status).toBe(401);

  expect(await whenListed(idOf(refusal))).toMatchObject({
    status: 401,
    code: "UNAUTHENTICATED",
    caller: { kind: "apiKey", id: old.id },
  });
  expect(await list(`&apiKeyId=${old.id}`)).toHaveLength(1);
  const rows = await gateway.database.kysely.selectFrom("request_logs").select("account_id").distinct().execute();
  expect(rows.every(({ account_id: accountId }) => accountId.startsWith("acc_"))).toBe(true);
});

test("requests of another account are neither listed nor found, by any filter", async () => {
  await begin();
  const mine = idOf(await call("GET", "/api/v1/wallets"));
  await whenListed(mine);
  const myKey = key.id;
  await begin();

  expect(await list(`&apiKeyId=${myKey}`)).toEqual([]);
  expect((await list()).map(({ id }) => id)).not.toContain(mine);
  const [foreign, none] = await Promise.all([
    call("GET", `/api/v1/request-logs/${mine}`),
    call("GET", `/api/v1/request-logs/${mine.slice(0, -3)}000`),
  ]);
  expect(foreign).toMatchObject(refused("NOT_FOUND"));
  expect((foreign.json as { error: object }).error).toEqual((none.json as { error: object }).error);
  const usage = dataOf<{ series: { group: { caller: string } }[] }>(await call("GET", "/api/v1/usage?groupBy=caller"));
  expect(usage.series.map(({ group }) => group.caller)).not.toContain(myKey);
});

test("an application sees its own requests only, and the console all, but its own are not in the usage", async () => {
  await begin();
  const grant = await createTestGrant(gateway, account);
  const consoleGrant = await createTestGrant(gateway, account, { isConsole: true });
  const [asApplication, asConsole] = await Promise.all(
    [grant, consoleGrant].map(async (one) => bearer(await mintToken(issuer, one))),
  );
  const ofKey = idOf(await call("GET", "/api/v1/wallets"));
  const by = (headers: Record<string, string> | undefined, target: string) =>
    gateway.call({ method: "GET", target, ...(headers && { headers }) });
  const ofApplication = idOf(await by(asApplication, "/api/v1/wallets"));
  const ofConsole = idOf(await by(asConsole, "/api/v1/wallets"));
  expect(await whenListed(ofConsole)).toMatchObject({
    source: "console",
    caller: { kind: "person", id: consoleGrant.personId, personId: consoleGrant.personId },
  });
  expect(await whenListed(ofApplication)).toMatchObject({
    source: "api",
    caller: { kind: "application", id: grant.applicationId, personId: grant.personId },
  });

  const seen = async (headers: Record<string, string> | undefined): Promise<string[]> =>
    dataOf<Logged[]>(await by(headers, "/api/v1/request-logs?operationId=listWallets")).map(({ id }) => id);
  expect(await seen(asApplication)).toEqual([ofApplication]);
  expect(await seen(asConsole)).toEqual([ofConsole, ofApplication, ofKey]);
  expect((await by(asApplication, `/api/v1/request-logs/${ofKey}`)).status).toBe(404);
  expect((await by(asApplication, `/api/v1/request-logs/${ofApplication}`)).status).toBe(200);
  expect((await by(asConsole, `/api/v1/request-logs/${ofKey}`)).status).toBe(200);

  const callers = async (headers: Record<string, string> | undefined): Promise<string[]> => {
    const usage = await by(headers, "/api/v1/usage?interval=minute&groupBy=caller");
    return dataOf<{ series: { group: { caller: string } }[] }>(usage)
      .series.map(({ group }) => group.caller)
      .toSorted();
  };
  expect(await callers(asApplication)).toEqual([grant.applicationId]);
  expect(await callers(asConsole)).toEqual([grant.applicationId, key.id].toSorted());
});

test("a repeated request says that it was", async () => {
  await begin();
  const body = { name: "Payroll", currency: "EUR" };
  await call("POST", "/api/v1/wallets", body, { "Idempotency-Key": "one" });
  const repeated = await call("POST", "/api/v1/wallets", body, { "Idempotency-Key": "one" });

  expect(await whenListed(idOf(repeated))).toMatchObject({ status: 201, idempotencyReplayed: true });
});

test("each filter finds what fits it, and nothing else", async () => {
  await begin();
  await call("GET", "/api/v1/wallets");
  await call("GET", "/api/v1/wallets?limit=0");
  await call("POST", "/api/v1/wallets", { name: "A", currency: "EUR" });
  await whenListed(idOf(await call("GET", "/api/v1/nothing/here")));
  const found = async (query: string): Promise<string[]> =>
    (await list(`${query}&until=${new Date(Date.now() + 60_000).toISOString()}`))
      .filter(({ path }) => path !== "/api/v1/request-logs")
      .map(({ method, status }) => `${method} ${status}`);

  expect(await found("")).toEqual(["GET 404", "POST 201", "GET 400", "GET 200"]);
  expect(await found("&status=4xx")).toEqual(["GET 404", "GET 400"]);
  expect(await found("&status=404")).toEqual(["GET 404"]);
  expect(await found("&status=201")).toEqual(["POST 201"]);
  expect(await found("&code=INVALID_REQUEST")).toEqual(["GET 400"]);
  expect(await found("&method=POST")).toEqual(["POST 201"]);
  expect(await found("&operationId=createWallet")).toEqual(["POST 201"]);
  expect(await found("&operationId=createWallet&status=4xx")).toEqual([]);
  expect(await found("&source=console")).toEqual([]);
  expect(await found("&minDurationMs=600000")).toEqual([]);
  expect(await found(`&since=${new Date(Date.now() + 30_000).toISOString()}`)).toEqual([]);
});

test("a request whose body did not come whole was refused, and not answered with 200", async () => {
  await begin();
  // The account of the key must be known before the connection ends.
  await call("GET", "/api/v1/wallets");
  const socket = connect(gateway.port, "127.0.0.1");
  const head = ["Host: gateway", `X-API-Key: ${key.secret}`, "Content-Type: application/json", "Content-Length: 100"];
  socket.write(`POST /api/v1/wallets HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n{"name":`, () => socket.end());
  await once(socket.resume(), "close");
  await waitFor(async () => (await list("&operationId=createWallet")).length === 1);

  const [refusal] = await list("&code=INVALID_REQUEST");
  expect(refusal).toMatchObject({ operationId: "createWallet", status: 400 });
  expect(await detailOf(refusal?.id ?? "")).toMatchObject({ requestBytes: 100, responseBytes: null, answered: false });
});

test("log and usage agree to one, the refusals of the limit included", async () => {
  const small = await gateway.createAccount({ tier: "explorer" });
  const own = await gateway.createKey(small, "read");
  const statuses: number[] = [];
  for (let count = 0; count < 14; count += 1) {
    const answer = await gateway.call({ method: "GET", target: "/api/v1/wallets", key: own.secret });
    statuses.push(answer.status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  const owned = { accountId: small.id, onlyOf: null };
  const sumOf = async () =>
    (await gateway.platform.requestLog.list({ ...owned, limit: 100 })).items.reduce(
      (sum, { repeats }) => sum + 1 + repeats,
      0,
    );
  await waitFor(async () => (await sumOf()) === 14);
  const { items } = await gateway.platform.requestLog.list({ ...owned, status: "429", limit: 100 });
  expect(new Set(items.map(({ operationId }) => operationId))).toEqual(new Set(["listWallets"]));

  for (const interval of ["minute", "hour", "day"] as const) {
    const usage = await gateway.platform.requestLog.usage.get({ ...owned, interval, groupBy: ["status"] });
    const counts = usage.series.map(({ group, count }) => [group?.status, count]);
    expect(counts).toEqual([
      ["200", 10],
      ["429", 4],
    ]);
  }
});

test.each([
  ["groupBy=code,code", "groupBy"],
  ["groupBy=code,code,code", "groupBy"],
  ["interval=minute&since=2020-01-01T00:00:00Z", "since"],
  ["interval=day&since=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z", "since"],
  ["since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "since"],
  ["until=2020-01-01T00:00:00Z", "until"],
  ["until=9999-12-31T23:59:59.999Z", "until"],
  ["since=9990-01-01T00:00:00Z&until=9990-01-01T01:00:00Z", "since"],
])("the usage refuses %s", async (query, field) => {
  await begin();
  const answer = await call("GET", `/api/v1/usage?${query}`);
  expect(answer).toMatchObject(invalid(field));
});

test("the request log has metrics", async () => {
  await begin();
  await whenListed(idOf(await call("GET", "/api/v1/wallets")));
  const read = async (name: string) => (await readMetric(gateway.metricsPort, name)).get("");
  expect(await read("gateway_request_log_written_total")).toBeGreaterThan(0);
  expect(await read("gateway_request_log_dropped_total")).toBe(0);
  await waitFor(async () => (await read("gateway_request_log_buffered")) === 0);
  expect(await read("gateway_request_log_lag_seconds")).toBe(0);
});
