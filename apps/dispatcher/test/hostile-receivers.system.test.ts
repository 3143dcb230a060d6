import { findFreePort, waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attemptTimeoutMs } from "../src/sending/deliver.ts";
import { startReceiver, type Answer, type TestReceiver } from "./support/receiver.ts";
import { startRawServer, type RawServer } from "./support/raw-server.ts";
import { createWorld, patientMs, type AttemptRow, type TestWebhook, type World } from "./support/world.ts";

type Expected = {
  outcome: string;
  httpStatus?: number | null;
  check?(attempt: AttemptRow): void;
};

type Case = [name: string, start: () => Promise<Pick<RawServer, "url" | "close">>, expected: Expected];

let world: World;

const answering = (answer: Answer) => async (): Promise<TestReceiver> => {
  const receiver = await startReceiver(await world.authority.issue());
  receiver.answerWith(answer);
  return receiver;
};
const raw = (onSocket: Parameters<typeof startRawServer>[0]) => () => startRawServer(onSocket);
const rawTls = (onSocket: Parameters<typeof startRawServer>[0]) => async () =>
  startRawServer(onSocket, await world.authority.issue());

const answerOf = (text: string) => rawTls((socket) => socket.once("data", () => socket.end(text)));

const cases: Case[] = [
  ["accepts and never speaks TLS", raw(() => {}), { outcome: "timeout", httpStatus: null }],
  ["stalls after the request", answering(() => {}), { outcome: "timeout", httpStatus: null }],
  [
    "drips its headers",
    rawTls((socket) => drip(socket, "HTTP/1.1 200 OK\r\nX-Slow: yes")),
    { outcome: "timeout", httpStatus: null },
  ],
  [
    "drips its body, byte by byte",
    rawTls((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      drip(socket, "x".repeat(100));
    }),
    { outcome: "timeout", httpStatus: 200 },
  ],
  [
    "never ends its body",
    answering((res) => flood(() => res.write("y".repeat(16_384)), res)),
    {
      outcome: "delivered",
      httpStatus: 200,
      check: ({ response_start: start }) => expect(start).toBe("y".repeat(1024)),
    },
  ],
  [
    "sends interim answers for ever",
    rawTls((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    }),
    { outcome: "timeout", httpStatus: null },
  ],
  [
    "resets the handshake",
    raw((socket) => socket.once("data", () => socket.resetAndDestroy())),
    { outcome: "tls_failed", httpStatus: null },
  ],
  [
    "resets after the request",
    rawTls((socket) => socket.once("data", () => socket.destroy())),
    { outcome: "connection_failed", httpStatus: null },
  ],
  [
    "breaks off in the middle of its body",
    rawTls((socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"))),
    { outcome: "connection_failed", httpStatus: 200, check: ({ response_start: start }) => expect(start).toBe("half") },
  ],
  [
    "does not speak HTTP",
    rawTls((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH\r\n"))),
    { outcome: "invalid_response", httpStatus: null },
  ],
  [
    "sends a megabyte of headers",
    rawTls((socket) =>
      socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\nX-Large: ${"a".repeat(1_000_000)}\r\n\r\n`)),
    ),
    { outcome: "headers_too_large", httpStatus: null },
  ],
  [
    "sends a little more than 16 KiB of headers",
    answering((res) => res.writeHead(200, { "X-Large": "a".repeat(17 * 1024) }).end()),
    { outcome: "headers_too_large", httpStatus: null },
  ],
  [
    "says two lengths",
    answerOf("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"),
    { outcome: "invalid_response", httpStatus: null },
  ],
  [
    "says a length and chunks",
    answerOf("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
    { outcome: "invalid_response" },
  ],
  [
    "says chunks that are none",
    answerOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    { outcome: "invalid_response", httpStatus: 200 },
  ],
  [
    "breaks off in the middle of its chunks",
    answerOf("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok"),
    { outcome: "connection_failed", httpStatus: 200 },
  ],
  [
    "breaks off in the middle of its headers",
    answerOf("HTTP/1.1 200 OK\r\nX-"),
    { outcome: "connection_failed", httpStatus: null },
  ],
  [
    "says to go on, unasked",
    answerOf("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    { outcome: "delivered", httpStatus: 200, check: ({ response_start: start }) => expect(start).toBe("ok") },
  ],
  [
    "says to go on twice, byte by byte, with headers",
    rawTls((socket) =>
      socket.once("data", () => {
        const go = "HTTP/1.1 100 Continue\r\nServer: x\r\n\r\n";
        const bytes = `${go}${go}HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok`.split("");
        const next = (): void => {
          const byte = bytes.shift();
          if (byte !== undefined) {
            socket.write(byte, next);
          }
        };
        next();
      }),
    ),
    { outcome: "delivered", httpStatus: 201, check: ({ response_start: start }) => expect(start).toBe("ok") },
  ],
  [
    "says to go on and then 500",
    answerOf("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"),
    { outcome: "http_error", httpStatus: 500 },
  ],
  [
    "says to go on and then nothing",
    rawTls((socket) => socket.once("data", () => socket.write("HTTP/1.1 100 Continue\r\n\r\n"))),
    { outcome: "timeout", httpStatus: null },
  ],
  [
    "says to go on and is gone",
    answerOf("HTTP/1.1 100 Continue\r\n\r\n"),
    { outcome: "connection_failed", httpStatus: null },
  ],
  [
    "switches protocols",
    rawTls((socket) =>
      socket.once("data", () =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      ),
    ),
    { outcome: "invalid_response", httpStatus: null },
  ],
  [
    "answers 500",
    answering((res) => res.writeHead(500).end("out of\u0000order")),
    {
      outcome: "http_error",
      httpStatus: 500,
      check: ({ response_start: start }) => expect(start).toBe("out of\uFFFDorder"),
    },
  ],
  [
    "answers bytes that are no text",
    answering((res) => res.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x41]))),
    {
      outcome: "delivered",
      httpStatus: 200,
      check: ({ response_start: start }) => expect(start).toBe("\uFFFD\uFFFDA"),
    },
  ],
  [
    "answers 204 without a body",
    answering((res) => res.writeHead(204).end()),
    { outcome: "delivered", httpStatus: 204, check: ({ response_start: start }) => expect(start).toBe("") },
  ],
  ["answers 299", answering((res) => res.writeHead(299).end()), { outcome: "delivered", httpStatus: 299 }],
  ["answers 410", answering((res) => res.writeHead(410).end()), { outcome: "http_error", httpStatus: 410 }],
  [
    "is not there",
    async () => ({ url: `https://localhost:${await findFreePort()}/`, close: async () => {} }),
    { outcome: "connection_failed", httpStatus: null },
  ],
  [
    "has no address",
    async () => ({ url: "https://nowhere.invalid/", close: async () => {} }),
    { outcome: "connection_failed", httpStatus: null },
  ],
  [
    "has a name that takes for ever to resolve",
    async () => ({ url: "https://slow.example.com/", close: async () => {} }),
    { outcome: "timeout", httpStatus: null },
  ],
];

function lookup(host: string): Promise<string[]> {
  if (host === "slow.example.com") {
    return new Promise(() => {});
  }
  return host === "localhost" ? Promise.resolve(["127.0.0.1"]) : Promise.reject(new Error("ENOTFOUND"));
}

function drip(
  socket: { write(text: string): unknown; on(event: "close", listener: () => void): unknown },
  text: string,
): void {
  let index = 0;
  const timer = setInterval(() => {
    socket.write(text[index] ?? " ");
    index += 1;
  }, 20);
  socket.on("close", () => clearInterval(timer));
}

function flood(write: () => unknown, res: { on(event: "close", listener: () => void): unknown }): void {
  const timer = setInterval(write, 1);
  res.on("close", () => clearInterval(timer));
}

/** Enough for a request to be read and a body to begin. The responses tested with it never end. */
const shortMs = 1_000;

describe("an attempt ends, whatever the receiver does", () => {
  const attempts = new Map<string, AttemptRow>();

  beforeAll(async () => {
    world = await createWorld({ standsStill: true });
    const [endless, ending] = [true, false].map((isEndless) =>
      cases.filter(([, , { outcome }]) => (outcome === "timeout") === isEndless),
    ) as [Case[], Case[]];
    await attemptAll(endless, { timeoutMs: shortMs });
    // These end by themselves, however long a busy machine takes.
    await attemptAll(ending, { timeoutMs: patientMs });
  });
  afterAll(() => world.stop());

  async function attemptAll(some: readonly Case[], { timeoutMs }: { timeoutMs: number }): Promise<void> {
    const servers = await Promise.all(some.map(([, start]) => start()));
    const webhooks = await Promise.all(servers.map(({ url }) => world.createWebhook({ url })));
    const dispatcher = await world.startDispatcher({ lookup, timeoutMs });
    await Promise.all(webhooks.map((webhook) => world.send(webhook)));
    const first = (webhook: TestWebhook) => world.attempts(webhook).then(([attempt]) => attempt);
    for (const [index, webhook] of webhooks.entries()) {
      attempts.set(some[index]?.[0] ?? "", await waitFor(() => first(webhook)));
    }
    await Promise.all(servers.map((server) => server.close()));
    await dispatcher.stop();
  }

  test.each(cases)("a receiver that %s", (name, _start, { outcome, httpStatus, check }) => {
    const attempt = attempts.get(name);
    expect(attempt).toMatchObject({ outcome, ...(httpStatus !== undefined && { http_status: httpStatus }) });
    if (attempt) {
      check?.(attempt);
    }
  });

  test("the product gives an attempt 5 s", () => {
    expect(attemptTimeoutMs).toBe(5_000);
  });

  test("the log holds no path, body or secret", () => {
    const log = world.logLines.join("");
    expect(log).toContain("attempt failed");
    expect(log).not.toMatch(/\/hooks|whsec_|"text"|out of/);
  });
});
