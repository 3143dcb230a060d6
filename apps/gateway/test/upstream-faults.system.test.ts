import { exampleEvent } from "@gateway/contract";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import {
  answerJson,
  moneyServices,
  startTestUpstream,
  upstreamEnv,
  type TestUpstream,
} from "./support/test-upstream.ts";

/** For answers that never end. */
const shortMs = 300;
/** For all others: the most that the setting takes. */
const longMs = 20_000;
const spare = 5_000_000;

const verification = {
  ...exampleEvent("kyc.submitted").data.object,
  id: "kyc_01kk70jjxzeq2924sbsjry3fhv",
  decisionReason: null,
};
const wallet = exampleEvent("wallet.created").data.object;

/** One read and one write of a group, with answers that fit the document. */
const groups = [
  {
    name: "identity",
    services: ["identity"],
    get: { target: "/api/v1/kyc-verifications/kyc_01kk70jjxzeq2924sbsjry3fhv", data: verification },
    post: {
      target: "/api/v1/kyc-verifications",
      body: {
        subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "Here 1" },
        documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
      },
      data: { ...verification, decisionReason: undefined },
    },
  },
  {
    name: "ledger, custody, orchestra, execution and portfolio",
    services: moneyServices,
    get: { target: `/api/v1/wallets/${wallet.id}`, data: wallet },
    post: { target: "/api/v1/wallets", body: { name: "Savings", currency: "EUR" }, data: wallet },
  },
] as const;

type Fault = { what: string; code: string; status: number; answer: (res: ServerResponse, good: object) => void };

const unavailable = { code: "UPSTREAM_UNAVAILABLE", status: 502 };
const invalid = { code: "UPSTREAM_INVALID_ANSWER", status: 502 };
const timeout = { code: "UPSTREAM_TIMEOUT", status: 504 };
const html = "<html><body>It works!</body></html>";
const refusal = (code: string) => ({ error: { code, message: "No." }, meta: {} });

const faults: readonly Fault[] = [
  { what: "silence", ...timeout, answer: () => {} },
  { what: "headers, and then silence", ...timeout, answer: (res) => res.writeHead(200).flushHeaders() },
  {
    what: "half of an answer, and then silence",
    ...timeout,
    answer: (res) => void res.writeHead(200, { "Content-Type": "application/json" }).write('{"data":'),
  },
  { what: "a reset", ...unavailable, answer: (res) => res.socket?.resetAndDestroy() },
  {
    what: "a reset in the answer",
    ...unavailable,
    answer: (res) => {
      res.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
      res.write('{"data":', () => res.socket?.resetAndDestroy());
    },
  },
  { what: "no HTTP", ...unavailable, answer: (res) => void res.socket?.end("SSH-2.0-OpenSSH_9.6\r\n") },
  ...[500, 501, 502, 503, 504].map((status) => ({
    what: `${status} in the envelope`,
    ...unavailable,
    answer: (res: ServerResponse) => answerJson(res, status, refusal("INTERNAL_ERROR")),
  })),
  {
    what: "500 in HTML",
    ...unavailable,
    answer: (res) => void res.writeHead(500, { "Content-Type": "text/html" }).end(html),
  },
  { what: "429", ...unavailable, answer: (res) => answerJson(res, 429, refusal("RATE_LIMITED")) },
  { what: "HTML", ...invalid, answer: (res) => void res.writeHead(200, { "Content-Type": "text/html" }).end(html) },
  {
    what: "HTML that says to be JSON",
    ...invalid,
    answer: (res) => void res.writeHead(200, { "Content-Type": "application/json" }).end(html),
  },
  {
    what: "JSON that is not UTF-8",
    ...invalid,
    answer: (res) =>
      void res.writeHead(200, { "Content-Type": "application/json" }).end(Buffer.from('{"data":"\xff"}', "latin1")),
  },
  {
    what: "compressed",
    ...invalid,
    answer: (res, good) =>
      void res
        .writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" })
        .end(JSON.stringify({ data: good, meta: {} })),
  },
  {
    what: "nothing",
    ...invalid,
    answer: (res) => void res.writeHead(200, { "Content-Type": "application/json" }).end(),
  },
  { what: "an array", ...invalid, answer: (res) => answerJson(res, 200, []) },
  { what: "no meta", ...invalid, answer: (res, good) => answerJson(res, 200, { data: good }) },
  {
    what: "another member",
    ...invalid,
    answer: (res, good) => answerJson(res, 200, { data: good, meta: {}, debug: 1 }),
  },
  {
    what: "a field that the document has not",
    ...invalid,
    answer: (res, good) => answerJson(res, 200, { data: { ...good, internal: 1 }, meta: {} }),
  },
  {
    what: "a field of another type",
    ...invalid,
    answer: (res, good) => answerJson(res, 200, { data: { ...good, id: 7 }, meta: {} }),
  },
  {
    what: "another meta",
    ...invalid,
    answer: (res, good) => answerJson(res, 200, { data: good, meta: { node: "a" } }),
  },
  {
    what: "a status of another success",
    ...invalid,
    answer: (res, good) => answerJson(res, 202, { data: good, meta: {} }),
  },
  { what: "204", ...invalid, answer: (res) => void res.writeHead(204).end() },
  {
    what: "a redirect",
    ...invalid,
    answer: (res) => void res.writeHead(302, { Location: "https://example.com/" }).end(),
  },
  { what: "401", ...invalid, answer: (res) => answerJson(res, 401, refusal("UNAUTHENTICATED")) },
  { what: "403 of the edge", ...invalid, answer: (res) => answerJson(res, 403, refusal("FORBIDDEN")) },
  {
    what: "a code that the operation does not list",
    ...invalid,
    answer: (res) => answerJson(res, 409, refusal("LAST_OWNER")),
  },
  {
    what: "a listed code with another status",
    ...invalid,
    answer: (res) => answerJson(res, 404, refusal("INVALID_REQUEST")),
  },
  { what: "a refusal without a code", ...invalid, answer: (res) => answerJson(res, 400, { message: "No." }) },
  {
    what: "6 MB",
    ...invalid,
    answer: (res, good) => void res.writeHead(200, { "Content-Type": "application/json" }).end(padded(good, 6_000_000)),
  },
  {
    what: "a byte more than 5 MB",
    ...invalid,
    answer: (res, good) => void res.writeHead(200, { "Content-Type": "application/json" }).end(padded(good, spare + 1)),
  },
];

function padded(data: object, bytes: number): string {
  const text = JSON.stringify({ data, meta: {} });
  return text + " ".repeat(bytes - text.length);
}

describe.each(groups)("an upstream of $name that answers", ({ services, get, post }) => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  /** The same, without patience. */
  let hasty: TestGateway;
  let key: string;

  // Nobody's breaker: a gateway that saw some faults would ask no more.
  beforeAll(async () => {
    upstream = await startTestUpstream();
    const env = upstreamEnv(upstream.url, services);
    gateway = await startTestGateway({ env: { ...env, UPSTREAM_TIMEOUT_MS: String(longMs) } });
    const { databaseUrl } = gateway;
    hasty = await startTestGateway({ databaseUrl, env: { ...env, UPSTREAM_TIMEOUT_MS: String(shortMs) } });
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });
  afterAll(async () => {
    await Promise.all([gateway.stop(), hasty.stop()]);
    await upstream.stop();
  });
  beforeEach(async () => {
    // So that failures stay fewer than half.
    upstream.answer = (res) => answerJson(res, 200, { data: get.data, meta: {} });
    await Promise.all(Array.from({ length: 4 }, () => read()));
    upstream.received.length = 0;
  });

  const read = (at = gateway): Promise<Answer> => at.call({ target: get.target, key });
  const create = (at = gateway): Promise<Answer> =>
    at.call({ method: "POST", target: post.target, key, body: post.body });

  test.each(faults)("$what: $code, for a read and for a write", async ({ code, status, answer }) => {
    for (const [ask, good] of [
      [read, get.data],
      [create, post.data],
    ] as const) {
      upstream.answer = (res) => answer(res, good);
      const refused = await ask(code === timeout.code ? hasty : gateway);
      expect(refused).toMatchObject({ status, json: { error: { code } } });
    }
  });

  test("what fits the document passes, up to 5 MB", async () => {
    upstream.answer = (res) =>
      void res.writeHead(200, { "Content-Type": "application/json" }).end(padded(get.data, spare));
    expect(await read()).toMatchObject({ status: 200 });
    upstream.answer = (res) =>
      answerJson(res, 201, { data: post.data, meta: { requestId: "theirs", timestamp: "never" } });
    expect(await create()).toMatchObject({ status: 201 });
  });

  test("a refusal that the document lists passes with its details", async () => {
    const error = { code: "INVALID_REQUEST", message: "Not so.", details: [{ field: "metadata", issue: "is odd" }] };
    upstream.answer = (res) => answerJson(res, 400, { error, meta: { requestId: "theirs" } });
    expect(await create()).toMatchObject({ status: 400, json: { error } });
  });

  test.each([502, 503, 504])("a read that is answered %i is tried once more, a write is not", async (status) => {
    let asked = 0;
    upstream.answer = (res) => {
      asked += 1;
      answerJson(res, asked === 1 ? status : 200, { data: get.data, meta: {} });
    };
    expect(await read()).toMatchObject({ status: 200 });
    expect(asked).toBe(2);
    asked = 0;
    expect(await create()).toMatchObject({ status: 502 });
    expect(asked).toBe(1);
  });

  test.each([
    ["500", (res: ServerResponse) => void res.writeHead(500).end()],
    ["404", (res: ServerResponse) => answerJson(res, 404, refusal("NOT_FOUND"))],
  ])("a read that is answered %s is not tried again", async (_status, answer) => {
    upstream.answer = answer;
    await read();
    expect(upstream.received).toHaveLength(1);
  });

  test("a reset is tried again for a read, and for nothing else", async () => {
    let asked = 0;
    upstream.answer = (res) => {
      asked += 1;
      return asked === 1 ? void res.socket?.resetAndDestroy() : answerJson(res, 200, { data: get.data, meta: {} });
    };
    expect(await read()).toMatchObject({ status: 200 });
    asked = 0;
    expect(await create()).toMatchObject({ status: 502 });
    expect(asked).toBe(1);
  });
});

describe("an upstream that cannot be reached", () => {
  test("a closed port: UPSTREAM_UNAVAILABLE", async () => {
    const closed = createServer();
    await once(closed.listen(0, "127.0.0.1"), "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise<void>((resolve) => closed.close(() => resolve()));
    expect(await askOnce(`http://127.0.0.1:${port}`, longMs)).toMatchObject({
      status: 502,
      json: { error: { code: "UPSTREAM_UNAVAILABLE" } },
    });
  });

  test("a connection that is accepted and forgotten: UPSTREAM_TIMEOUT", async () => {
    const halfOpen = createServer({ pauseOnConnect: true, allowHalfOpen: true });
    await once(halfOpen.listen(0, "127.0.0.1"), "listening");
    const { port } = halfOpen.address() as AddressInfo;
    const sockets: Socket[] = [];
    halfOpen.on("connection", (socket) => sockets.push(socket));
    expect(await askOnce(`http://127.0.0.1:${port}`, shortMs)).toMatchObject({
      status: 504,
      json: { error: { code: "UPSTREAM_TIMEOUT" } },
    });
    expect(sockets).toHaveLength(1);
    sockets.forEach((socket) => socket.destroy());
    await new Promise<void>((resolve) => halfOpen.close(() => resolve()));
  });

  async function askOnce(url: string, timeoutMs: number): Promise<Answer> {
    const env = { ...upstreamEnv(url, ["identity"]), UPSTREAM_TIMEOUT_MS: String(timeoutMs) };
    const gateway = await startTestGateway({ env });
    try {
      const { secret } = await gateway.createKey(await gateway.createAccount(), "read");
      return await gateway.call({ target: "/api/v1/kyc-verifications", key: secret });
    } finally {
      await gateway.stop();
    }
  }
});
