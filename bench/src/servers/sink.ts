import { createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import type { SinkAnswer, SinkQuestion } from "./start-sink.ts";

// A receiver that costs as little as possible: it reads the path and the length, and responds with 200. Under /hang it
// never responds. Under /late it responds about half a second later, which does not count as a failure. Under /timed it
// notes when each event arrived.
const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
/** Varies, because real receivers never respond all at the same time. */
const lateMs = (): number => 250 + 500 * Math.random();
const headEnd = Buffer.from("\r\n\r\n");
let count = 0;
let arrivals: SinkAnswer["arrivals"] = [];

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on("error", () => {});
  readRequests(socket);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.once("disconnect", () => process.exit());
process.on("message", ({ reset }: SinkQuestion) => {
  process.send?.({ count, arrivals } satisfies SinkAnswer);
  if (reset) {
    count = 0;
    arrivals = [];
  }
});
// A listening TCP server has an address of this kind.
process.send?.({ port: (server.address() as AddressInfo).port });

function readRequests(socket: Socket): void {
  let pending: Buffer | null = null;
  socket.on("data", (chunk: Buffer) => {
    let bytes = pending ? Buffer.concat([pending, chunk]) : chunk;
    for (let size = sizeOf(bytes); size !== null && size <= bytes.length; size = sizeOf(bytes)) {
      respond(socket, bytes.subarray(0, size));
      bytes = bytes.subarray(size);
    }
    pending = bytes.length > 0 ? bytes : null;
  });
}

/** The size of the first request, head and body. Null while its head is incomplete. */
function sizeOf(bytes: Buffer): number | null {
  const bodyAt = bytes.indexOf(headEnd) + headEnd.length;
  if (bodyAt < headEnd.length) {
    return null;
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, bodyAt))?.[1] ?? "0";
  return bodyAt + Number(length);
}

function respond(socket: Socket, request: Buffer): void {
  const text = request.toString("latin1");
  if (text.startsWith("POST /hang")) {
    return;
  }
  if (text.startsWith("POST /late")) {
    setTimeout(() => socket.write(answer), lateMs());
    return;
  }
  if (text.startsWith("POST /timed")) {
    arrivals.push({
      eventId: /"id":"(evt_\w+)"/.exec(text)?.[1] ?? "",
      atMs: performance.timeOrigin + performance.now(),
    });
  }
  count += 1;
  socket.write(answer);
}
