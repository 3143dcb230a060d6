import { waitFor } from "@gateway/testkit";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { invalid, refused } from "./support/answers.ts";
import { behindProxy } from "./support/addresses.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer } from "./support/http-client.ts";
import { limitHeadersOf } from "./support/limit-headers.ts";
import { askRaw, askRawInTurn } from "./support/raw-http.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

const target = "/api/v1/account";
let key: string;

const gateway = useGateway();
beforeAll(async () => {
  key = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
});

const sendRaw = async (text: string | Buffer): Promise<Answer> => {
  const answer = await askRaw(gateway.port, text);
  expectOurAnswer(answer, {});
  return answer;
};
const get = (...lines: string[]): string =>
  [`GET ${target} HTTP/1.1`, ...lines, `X-API-Key: ${key}`, "", ""].join("\r\n");

describe("headers that decide who is calling or what is meant", () => {
  test.each([
    ["Host", "a.example", "b.example"],
    ["Host", "a.example", "a.example"],
    ["X-API-Key", "", ""],
    ["Authorization", "Bearer a", "Bearer a"],
    ["Content-Type", "application/json", "text/plain"],
    ["Idempotency-Key", "a", "b"],
  ])("%s sent twice (%j, %j) is refused and named", async (name, first, second) => {
    const lines = name === "Host" ? [] : ["Host: localhost"];
    const answer = await sendRaw(
      get(...lines, `${name}: ${first}`, `${name.toLowerCase()}: ${second}`).replace(
        name === "X-API-Key" ? /$/ : "\0",
        "",
      ),
    );
    expect(answer).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: expect.stringMatching(new RegExp(`^${name}$`, "i")) }] } },
    });
  });

  test("a key sent twice is refused, the same one too", async () => {
    expect(await gateway.call({ target, headers: { "X-API-Key": [key, key] } })).toMatchObject(invalid("X-API-Key"));
  });

  test("a request refused for such a header counts against the account of its key", async () => {
    const answer = await sendRaw(get("Host: a", "Idempotency-Key: a", "Idempotency-Key: b"));
    expect(answer.status).toBe(400);
    const usual = await gateway.call({ target, key });
    expect(limitHeadersOf(answer).limit).toBe(limitHeadersOf(usual).limit);
    expect(limitHeadersOf(answer).remaining).toBe(limitHeadersOf(usual).remaining + 1);
  });

  test.each([`${key} `, ` ${key}`])("spaces around a key are no part of it (RFC 9110, 5.5)", async () => {
    expect((await sendRaw(get("Host: a"))).status).toBe(200);
  });
});

describe("Host", () => {
  test("that is foreign changes nothing: no byte of it is in the answer", async () => {
    const answer = await gateway.call({
      target,
      key,
      headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" },
    });
    expect(answer.status).toBe(200);
    expect(JSON.stringify([answer.rawHeaders, answer.text])).not.toContain("evil");
    expect(answer.headers).not.toHaveProperty("location");
  });

  test("that is missing is refused in HTTP/1.1 (RFC 9112, 3.2) and not in HTTP/1.0", async () => {
    expect(await sendRaw(get())).toMatchObject(invalid("Host"));
    const old = await sendRaw(get().replace("HTTP/1.1", "HTTP/1.0"));
    expect(old).toMatchObject({ status: 200, headers: { connection: "close" } });
  });
});

describe("the client's address", () => {
  const claims = [
    "X-Forwarded-For",
    "X-Real-IP",
    "Forwarded",
    "CF-Connecting-IP",
    "True-Client-IP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
  ];
  const claim = (name: string, address: string): Record<string, string> => ({
    [name]: name === "Forwarded" ? `for=${address}` : address,
  });

  test("is that of the connection, whatever a client says it is", async () => {
    const own = await startTestGateway();
    const remaining: number[] = [];
    for (const name of claims) {
      remaining.push(limitHeadersOf(await own.call({ target, headers: claim(name, "192.0.2.7") })).remaining);
    }
    await own.stop();
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3]);
  });

  test("behind a trusted proxy is the last address in X-Forwarded-For that is no trusted proxy, and no other header counts", async () => {
    const own = await startTestGateway({ env: behindProxy });
    const remainingWith = async (headers: Record<string, string>): Promise<number> =>
      limitHeadersOf(await own.call({ target, headers })).remaining;
    const seen = [
      await remainingWith({ "X-Forwarded-For": "192.0.2.1" }),
      await remainingWith({ "X-Forwarded-For": "192.0.2.2" }),
      await remainingWith({ "X-Forwarded-For": "203.0.113.9, 192.0.2.1" }),
      await remainingWith({ "X-Forwarded-For": "203.0.113.9, 192.0.2.1, 127.0.0.1" }),
    ];
    for (const name of claims.slice(1)) {
      seen.push(await remainingWith({ "X-Forwarded-For": "192.0.2.1", ...claim(name, "203.0.113.9") }));
    }
    await own.stop();
    expect(seen).toEqual([9, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });
});

describe("headers from outside that have no effect", () => {
  test.each<Record<string, string>>([
    { "X-Request-Id": "req_mine" },
    { "X-HTTP-Method-Override": "DELETE", "X-HTTP-Method": "DELETE", "X-Method-Override": "DELETE" },
    { "X-Original-URL": "/api/v1/api-keys", "X-Rewrite-URL": "/api/v1/api-keys" },
    { Accept: "text/html", "Accept-Encoding": "gzip" },
    { "If-None-Match": "*", Range: "bytes=0-3" },
    { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" },
    {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "Sec-WebSocket-Version": "13",
    },
    { Expect: "200-ok" },
    { Expect: "100-continue" },
    { TE: "trailers" },
  ])("%j", async (headers) => {
    const answer = await gateway.call({ target, key, headers });
    expect(answer).toMatchObject({ status: 200, json: { data: { livemode: false } } });
    expect(answer.headers["x-request-id"]).not.toBe("req_mine");
  });

  test("Expect: 100-continue with a body, and a body in chunks", async () => {
    const request = { method: "POST", target: "/api/v1/wallets", key, body: { name: "a", currency: "EUR" } };
    expect((await gateway.call({ ...request, headers: { Expect: "100-continue" } })).status).toBe(201);
    expect((await gateway.call({ ...request, headers: { "Transfer-Encoding": "chunked" } })).status).toBe(201);
  });
});

describe("bytes that are no HTTP request", () => {
  const head = `POST /api/v1/wallets HTTP/1.1\r\nHost: a\r\n`;

  test.each([
    ["text", "hello\r\n\r\n"],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/3", "GET / HTTP/3.0\r\nHost: a\r\n\r\n"],
    ["TLS", Buffer.from("160301020001000001fc0303", "hex")],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost a\r\n\r\n"],
    ["a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"],
    ["NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n"],
    ["a bare line feed in a header", "GET / HTTP/1.1\r\nHost: a\rX-A: b\r\n\r\n"],
    ["two lengths", `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ["length and chunks", `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a negative length", `${head}Content-Length: -1\r\n\r\n`],
    ["a length that is no number", `${head}Content-Length: 0x2\r\n\r\n{}`],
    ["chunks that are not the last coding", `${head}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ["an unknown coding", `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ["spaces in the target", "GET / / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"],
  ])("%s: 400 in the envelope with the state of the limit, and the connection ends", async (_, bytes) => {
    const answer = await sendRaw(bytes);
    expect(answer).toMatchObject({
      status: 400,
      headers: { connection: "close" },
      json: { error: { code: "INVALID_REQUEST" } },
    });
  });

  test("a body with a broken chunk is 400, once, and nothing is done", async () => {
    const text = `${head}X-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nXYZ\r\n`;
    expect((await sendRaw(text)).status).toBe(400);
  });

  test("are counted by address", async () => {
    const first = limitHeadersOf(await sendRaw("hello\r\n\r\n"));
    expect(first).toMatchObject({ limit: 10 });
    const own = await startTestGateway();
    const remaining = [
      limitHeadersOf(await own.call({ target })),
      limitHeadersOf(await askRaw(own.port, "hello\r\n\r\n")),
    ].map((state) => state.remaining);
    await own.stop();
    expect(remaining).toEqual([9, 8]);
  });

  test("after a good request on the same connection get the envelope as well", async () => {
    const [good, bad] = await askRawInTurn(gateway.port, [get("Host: a"), "hello\r\n\r\n"]);
    expect(good?.status).toBe(200);
    expect(bad).toMatchObject(refused("INVALID_REQUEST"));
  });

  test("behind a request that is still being answered never take the place of its answer", async () => {
    const [good, bad] = await askRawInTurn(gateway.port, [`${get("Host: a")}hello\r\n\r\n`, ""]);
    expect([good?.status, bad?.status]).toEqual([200, 400]);
  });

  test("from a client that never hangs up do not hold the connection", async () => {
    const accepted = acceptedSocket();
    const socket = connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true }, () =>
      socket.write("hello\r\n\r\n"),
    );
    await new Promise((resolve) => socket.once("end", resolve).resume());
    await waitFor(async () => (await accepted).destroyed);
    expect(socket.writable).toBe(true);
    socket.destroy();
  });
});

/** The gateway's end of the next connection to it, which runs in this process. */
function acceptedSocket(): Promise<Socket> {
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      unsubscribe("net.server.socket", take);
      resolve((message as { socket: Socket }).socket);
    };
    subscribe("net.server.socket", take);
  });
}
