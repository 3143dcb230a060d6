import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isStaleConnection, watchConnection } from "../src/sending/watch-connection.ts";

let server: Server;
let peer: Socket;
let socket: Socket;
let bytes = "";
let failed: Promise<unknown>;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const accepted = once(server, "connection");
  socket = watchConnection(connect((server.address() as AddressInfo).port, "127.0.0.1"));
  [peer] = (await accepted) as [Socket];
  peer.on("error", () => {});
  bytes = "";
  failed = new Promise((resolve) => socket.once("error", resolve));
  socket.on("readable", () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      bytes += String(chunk);
      socket.emit("answered");
    }
  });
});
afterEach(async () => {
  socket.destroy();
  peer.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function exchange(answer: string): Promise<void> {
  const answered = once(socket, "answered");
  socket.write("a request");
  await once(peer, "data");
  peer.write(answer);
  await answered;
}

test("a kept connection that is reset while a request waits is stale", async () => {
  await exchange("HTTP/1.1 200 OK\r\n\r\n");
  socket.write("another request");
  await once(peer, "data");
  peer.resetAndDestroy();
  const error = await failed;
  expect(error).toMatchObject({ code: "ECONNRESET" });
  expect(isStaleConnection(error)).toBe(true);
});

test("a new connection that is reset is not", async () => {
  socket.write("a request");
  await once(peer, "data");
  peer.resetAndDestroy();
  expect(isStaleConnection(await failed)).toBe(false);
});

test.each(["HTTP/1.1 100 Con", "HTTP/1.1 100 Continue\r\n\r\n", "H"])(
  "one that is reset after %j of an answer is not",
  async (part) => {
    await exchange("HTTP/1.1 200 OK\r\n\r\n");
    socket.write("another request");
    await once(peer, "data");
    await new Promise((resolve) => peer.write(part, resolve));
    await new Promise((resolve) => socket.once("readable", resolve));
    peer.resetAndDestroy();
    expect(isStaleConnection(await failed)).toBe(false);
  },
);

test("interim answers are dropped in front of each answer, and never within one", async () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\n";
  await exchange(`${interim}${interim}HTTP/1.1 200 OK\r\n\r\n`);
  await exchange(`${interim}HTTP/1.1 201 Created\r\n\r\n${interim}`);
  expect(bytes).toBe(`HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 201 Created\r\n\r\n${interim}`);
});
