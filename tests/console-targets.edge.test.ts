import { operations } from "@gateway/contract";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startConsoleSystem, type ConsoleBrowser, type ConsoleSystem } from "./support/console-system.ts";

/** A server that replaces the API and notes every request that reaches it. */
let api: { server: Server; url: string; seen: string[] };
let system: ConsoleSystem;
let browser: ConsoleBrowser;

beforeAll(async () => {
  const seen: string[] = [];
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url} ${JSON.stringify(req.rawHeaders)}`);
    req.resume();
    res.setHeader("Set-Cookie", "stolen=1");
    res.setHeader("Access-Control-Allow-Origin", "*");
    res.setHeader("X-Request-Id", "req_of_the_api");
    res.end('{"data":{},"meta":{}}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A listening TCP server has an address of this kind.
  api = { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  system = await startConsoleSystem({ apiUrl: api.url, mayFail: true });
  browser = system.openBrowser();
  await browser.signIn(await system.auth.createPerson());
});
afterAll(async () => {
  await system.stop();
  api.server.closeAllConnections();
  api.server.close();
});
beforeEach(() => {
  api.seen.length = 0;
});

type Raw = { method?: string; target: string; headers?: readonly string[]; body?: string };

/** Sends bytes that no HTTP client would send, with a valid cookie and valid headers. Resolves to the status codes. */
async function sendRaw({ method = "GET", target, headers = [], body = "" }: Raw): Promise<string[]> {
  const socket = connect(system.consoles[0]?.port ?? 0, "127.0.0.1");
  const own = [`Host: ${new URL(system.consoleUrl).host}`, `Cookie: console=${browser.cookies.get("console")}`];
  const marks = ["X-Console: 1", "Sec-Fetch-Site: same-origin", "Connection: close"];
  const lines = [`${method} ${target} HTTP/1.1`, ...own, ...marks, ...headers];
  socket.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"));
  const answer = await text(socket).catch(() => "");
  return Array.from(answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm), ([, status = ""]) => status);
}

const paths = [
  "/api/v1/account",
  "/api/v1/wallets",
  "/api/v1/wallets/wal_1",
  "/api/v1/quotes/BTC-USD",
  "/api/v1/api-keys",
];

/** Each function corrupts a valid path. */
const spoil: readonly ((path: string) => string)[] = [
  (path) => `http://evil.example${path}`,
  (path) => `https://127.0.0.1:1${path}`,
  (path) => `//evil.example${path}`,
  (path) => `/\\evil.example${path}`,
  (path) => `\\\\evil.example${path}`,
  (path) => `@evil.example${path}`,
  (path) => `${path}@evil.example`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `${path}/..`,
  (path) => `${path}/.`,
  (path) => `${path}/../../../metrics`,
  (path) => `${path}/%2e%2e/%2e%2e/metrics`,
  (path) => `${path}/..%2f..%2fmetrics`,
  (path) => `${path}/..;/metrics`,
  (path) => `${path}%2f..%2f..`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0aX-API-Key:%20gk_test`,
  (path) => `${path}%20HTTP/1.1%0d%0aHost:%20evil`,
  (path) => `${path}%c0%af..`,
  (path) => `${path}%252e%252e`,
  (path) => `${path}%zz`,
  (path) => `${path}\u00e9`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace("/api/", "/api//"),
  (path) => path.replace("/api/v1/", "/api/v1/./"),
  (path) => path.replace("/api/v1/", "/api/v2/../v1/"),
  (path) => path.replace("/api/", "/API/"),
  (path) => path.replace("/api/", "/%61pi/"),
  (path) => path.replace("/v1/", "/v1%2f"),
  (path) => path.replace("/v1/", "/v1\\"),
  (path) => path.replaceAll("/", "\\"),
  (path) => path.replace("/v1/", "/V1/"),
  (path) => path.slice(1),
  (path) => `${path};jsessionid=1`,
  (path) => `${path}#/../evil`,
  (path) => `${path}?a=b#c`,
  (path) => `${path}?q=\u00fc`,
  (path) => `${path}%2ejson`,
  (path) => `${path}/un/known`,
  (path) => `${path.toUpperCase()}`,
  (path) => `${path}\t`,
  (path) => `/api/v1/..${path}`,
  (path) => `/proxy${path}`,
  (path) => `/api/v1/${"a".repeat(9_000)}${path}`,
  (path) => `${path}?${"q".repeat(9_000)}`,
  (path) => `*${path}`,
  (path) => `localhost:9464${path}`,
];

const unknownMethods = [
  "HEAD",
  "OPTIONS",
  "TRACE",
  "LOCK",
  "PROPFIND",
  "SEARCH",
  "PURGE",
  "LINK",
  "UNLINK",
  "M-SEARCH",
];

const hostile: readonly Raw[] = [
  ...["GET", "POST"].flatMap((method) =>
    paths.flatMap((path) => spoil.map((change) => ({ target: change(path), method }))),
  ),
  ...paths.flatMap((target) => unknownMethods.map((method) => ({ target, method }))),
  ...paths.flatMap((target) =>
    ["get", "GETX", "CONNECT", "PUT /api/v1/wallets HTTP/1.1\r\nX:", "GET\t"].map((method) => ({ target, method })),
  ),
  ...["/metrics", "/readyz", "/upstream/v1/events", "/", "/api", "/api/", "/api/v1", "/api/v1/", "*"].map((target) => ({
    target,
    method: "POST",
  })),
  ...paths.flatMap((target) => [
    // Two parsers of such a request could disagree about its end.
    {
      target,
      method: "POST",
      headers: ["Content-Length: 5", "Transfer-Encoding: chunked"],
      body: "0\r\n\r\nGET /api/v1/account HTTP/1.1\r\n\r\n",
    },
    {
      target,
      method: "POST",
      headers: ["Content-Length: 0", "Content-Length: 44"],
      body: "GET /api/v1/account HTTP/1.1\r\nHost: evil\r\n\r\n",
    },
    { target, method: "POST", headers: ["Transfer-Encoding: xchunked"], body: "0\r\n\r\n" },
    { target, method: "POST", headers: ["Transfer-Encoding: chunked, identity"], body: "0\r\n\r\n" },
    { target, headers: ["X-Console: 1"] },
    { target, headers: ["X-Console : 1\r\n X-Console: 1"] },
    { target, headers: ["Sec-Fetch-Site: same-origin, cross-site"] },
    { target, headers: ["X-Api-Key: gk_test\rHost: evil"] },
    { target, headers: ["Host: evil.example\nX: y"] },
    { target, headers: [`X-Large: ${"x".repeat(20_000)}`] },
  ]),
];

test("of 500 hostile targets and more none is forwarded", async () => {
  expect(hostile.length).toBeGreaterThanOrEqual(500);
  const forwarded: Raw[] = [];
  for (let at = 0; at < hostile.length; at += 20) {
    const some = hostile.slice(at, at + 20);
    const before = api.seen.length;
    await Promise.all(some.map(sendRaw));
    if (api.seen.length > before) {
      forwarded.push(...some);
    }
  }
  expect({ forwarded: forwarded.slice(0, 20), seen: api.seen }).toEqual({ forwarded: [], seen: [] });
}, 60_000);

test("each operation of the document is forwarded, as it came", async () => {
  const all = Object.values(operations);
  for (const { method, path, hasBody } of all) {
    const target = `${path.replaceAll(/\{\w+\}/g, "id_1")}?a=%2F..&b[]=1`;
    const body = hasBody ? { headers: ["Content-Length: 2", "Content-Type: application/json"], body: "{}" } : {};
    expect(await sendRaw({ method: method.toUpperCase(), target, ...body })).toEqual(["200"]);
    expect(api.seen.at(-1)).toContain(`${method.toUpperCase()} ${target} `);
  }
  expect(api.seen).toHaveLength(all.length);
});

test("neither cookies nor what is between neighbours goes on, and an answer sets nothing at the browser", async () => {
  const headers = [
    "Keep-Alive: 5",
    "TE: trailers",
    "X-API-Key: gk_test",
    "Authorization: Bearer mine",
    "Origin: https://evil.example",
  ];
  await sendRaw({ target: "/api/v1/account", headers: [...headers, "X-Forwarded-Host: evil", "Forwarded: for=evil"] });
  const [seen = ""] = api.seen;
  expect(seen).not.toMatch(/cookie|gk_test|mine|evil|trailers|sec-fetch-site/i);
  expect(seen).toMatch(/"authorization","Bearer eyJ/i);
  const answer = await browser.call("/api/v1/account");
  expect([...answer.headers.keys()]).not.toEqual(expect.arrayContaining(["set-cookie"]));
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(answer.headers.get("X-Request-Id")).toBe("req_of_the_api");
});

test("while the API is away its operations are 503 in the envelope, and the page knows who is signed in", async () => {
  api.server.closeAllConnections();
  api.server.close();
  const answer = await browser.call("/api/v1/account");
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    503,
    { error: expect.objectContaining({ code: "UNAVAILABLE" }), meta: { requestId: expect.stringMatching(/^req_/) } },
  ]);
  expect((await browser.call("/session")).status).toBe(200);
});

test("two Hosts are a 400, and nothing reaches the API", async () => {
  expect(await sendRaw({ target: "/api/v1/account", headers: ["Host: other.example"] })).toEqual(["400"]);
  expect(api.seen).toEqual([]);
});
