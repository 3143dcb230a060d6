import { exampleEvent } from "@gateway/contract";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { asJson, askedFaults, refuses, sends, type AskedFault } from "./support/asked-services.ts";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway, useUpstream } from "./support/use-gateway.ts";
import { answerJson, moneyServices, upstreamEnv } from "./support/test-upstream.ts";

/** Timeout for responses that never end. */
const shortMs = 300;
/** Timeout for all others: the maximum of the setting. */
const longMs = 20_000;
const spare = 5_000_000;

const verification = {
  ...exampleEvent("kyc.submitted").data.object,
  id: "kyc_01kk70jjxzeq2924sbsjry3fhv",
  decisionReason: null,
};
const wallet = exampleEvent("wallet.created").data.object;

/** One read and one write of a group, with responses that fit the document. */
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

type Fault = Omit<AskedFault, "answer"> & { answer: (res: ServerResponse, good: object) => void };

const [timeout, unavailable, wrong] = ["UPSTREAM_TIMEOUT", "UPSTREAM_UNAVAILABLE", "UPSTREAM_INVALID_ANSWER"] as const;
const html = "<html><body>It works!</body></html>";
/** Changes a valid response. */
const changed =
  (change: (good: object) => unknown, status = 200): Fault["answer"] =>
  (res, good) =>
    answerJson(res, status, change(good));

type Row = [what: string, code: Fault["code"], answer: Fault["answer"]];
/** Faults in addition to those of any service. */
const rows: Row[] = [
  ["headers, and then silence", timeout, (res) => res.writeHead(200).flushHeaders()],
  [
    "a reset in the answer",
    unavailable,
    (res) =>
      res
        .writeHead(200, { ...asJson, "Content-Length": "1000" })
        .write('{"data":', () => res.socket?.resetAndDestroy()),
  ],
  ["no HTTP", unavailable, (res) => void res.socket?.end("SSH-2.0-OpenSSH_9.6\r\n")],
  ...[500, 501, 502, 503, 504].map((status): Row => [
    `${status} in the envelope`,
    unavailable,
    refuses(status, "INTERNAL_ERROR"),
  ]),

  ["500 in HTML", unavailable, sends(500, { "Content-Type": "text/html" }, html)],
  ["JSON that is not UTF-8", wrong, sends(200, asJson, Buffer.from('{"data":"\xff"}', "latin1"))],
  [
    "compressed",
    wrong,
    (res, data) => sends(200, { ...asJson, "Content-Encoding": "gzip" }, JSON.stringify({ data, meta: {} }))(res),
  ],
  ["nothing", wrong, sends(200, asJson)],
  ["an array", wrong, changed(() => [])],
  ["no meta", wrong, changed((data) => ({ data }))],
  ["another member", wrong, changed((data) => ({ data, meta: {}, debug: 1 }))],
  ["a field that the document has not", wrong, changed((good) => ({ data: { ...good, internal: 1 }, meta: {} }))],
  ["a field of another type", wrong, changed((good) => ({ data: { ...good, id: 7 }, meta: {} }))],
  ["another meta", wrong, changed((data) => ({ data, meta: { node: "a" } }))],
  ["a status of another success", wrong, changed((data) => ({ data, meta: {} }), 202)],
  ["204", wrong, sends(204, {})],
  ["a redirect", wrong, sends(302, { Location: "https://example.com/" })],
  ["401", wrong, refuses(401, "UNAUTHENTICATED")],
  ["403 of the edge", wrong, refuses(403, "FORBIDDEN")],
  ["a code that the operation does not list", wrong, refuses(409, "LAST_OWNER")],
  ["a listed code with another status", wrong, refuses(404, "INVALID_REQUEST")],
  ["6 MB", wrong, (res, good) => sends(200, asJson, padded(good, 6_000_000))(res)],
  ["a byte more than 5 MB", wrong, (res, good) => sends(200, asJson, padded(good, spare + 1))(res)],
];
// A refusal that every operation lists passes.
const faults: Fault[] = askedFaults.filter(({ what }) => what !== "a refusal");
faults.push(...rows.map(([what, code, answer]) => ({ what, code, answer })));

function padded(data: object, bytes: number): string {
  const text = JSON.stringify({ data, meta: {} });
  return text + " ".repeat(bytes - text.length);
}

describe.each(groups)("an upstream of $name that answers", ({ services, get, post }) => {
  const upstream = useUpstream();
  const env = (timeoutMs: number) => ({
    ...upstreamEnv(upstream.url, services),
    UPSTREAM_TIMEOUT_MS: String(timeoutMs),
  });
  // Without a breaker: a gateway that saw some faults would stop sending requests.
  const gateway = useGateway(() => ({ env: env(longMs) }));
  /** The same gateway with a short timeout. */
  const hasty = useGateway(() => ({ databaseUrl: gateway.databaseUrl, env: env(shortMs) }));
  let key: string;
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
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

  test.each(faults)("$what: $code, for a read and for a write", async ({ code, answer }) => {
    for (const [ask, good] of [
      [read, get.data],
      [create, post.data],
    ] as const) {
      upstream.answer = (res) => answer(res, good);
      expect(await ask(code === timeout ? hasty : gateway)).toMatchObject(refused(code));
    }
  });

  test("what fits the document passes, up to 5 MB", async () => {
    upstream.answer = sends(200, asJson, padded(get.data, spare));
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
    ["500", sends(500, {})],
    ["404", refuses(404, "NOT_FOUND")],
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
    expect(await askOnce(`http://127.0.0.1:${port}`, longMs)).toMatchObject(refused("UPSTREAM_UNAVAILABLE"));
  });

  test("a connection that is accepted and forgotten: UPSTREAM_TIMEOUT", async () => {
    const halfOpen = createServer({ pauseOnConnect: true, allowHalfOpen: true });
    await once(halfOpen.listen(0, "127.0.0.1"), "listening");
    const { port } = halfOpen.address() as AddressInfo;
    const sockets: Socket[] = [];
    halfOpen.on("connection", (socket) => sockets.push(socket));
    expect(await askOnce(`http://127.0.0.1:${port}`, shortMs)).toMatchObject(refused("UPSTREAM_TIMEOUT"));
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
