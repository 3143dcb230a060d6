import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createExpressListener,
  isOriginForm,
  startServer,
  type RunningServer,
  type UnreadableRequest,
} from "../src/index.ts";

let server: RunningServer;
let unreadable: UnreadableRequest[];

beforeEach(async () => {
  unreadable = [];
  server = await startServer({
    host: "127.0.0.1",
    port: 0,
    handler: createExpressListener((req: { url?: string | undefined; originalUrl?: string }, res) =>
      res.end(`${req.url} ${req.originalUrl ?? ""}`),
    ),
    answerUnreadable: async (request) => {
      unreadable.push(request);
      return { status: 431, headers: { "X-Reason": request.reason }, body: "é" };
    },
  });
});
afterEach(() => server.stop(0));

async function send(text: string, { port }: { port: number } = server): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, "close");
  return answer;
}

test.each([
  ["text", "hello\r\n\r\n", "malformed"],
  ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", "tunnel"],
  ["too many headers", `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, "headersTooLarge"],
])("%s is answered with what the program says, and the connection ends", async (_name, text, reason) => {
  expect(await send(text)).toBe(
    `HTTP/1.1 431 Request Header Fields Too Large\r\nX-Reason: ${reason}\r\nContent-Length: 2\r\nConnection: close\r\n\r\né`,
  );
  expect(unreadable).toEqual([expect.objectContaining({ reason, remoteAddress: "127.0.0.1" })]);
});

test("a program that says nothing itself answers in a line of text", async () => {
  const plain = await startServer({ host: "127.0.0.1", port: 0, handler: (_req, res) => res.end() });
  expect(await send("hello\r\n\r\n", plain)).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\nThe request could not be read\.\n$/,
  );
  await plain.stop(0);
});

test.each([
  ["/a?b=c", "/a?b=c ", true],
  ["//example.com/a", "//example.com/a ", true],
  ["http://@", "/ http://@", false],
  ["http://example.com/a", "/ http://example.com/a", false],
  ["*", "/ *", false],
  ["/a#b", "/ /a#b", false],
])("the request target %s reaches the app as %j", async (target, seen, isAllowed) => {
  const answer = await send(`OPTIONS ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer.endsWith(`\r\n\r\n${seen}`)).toBe(true);
  expect(isOriginForm(target)).toBe(isAllowed);
});
