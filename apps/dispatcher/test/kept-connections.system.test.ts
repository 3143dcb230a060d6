import { waitFor } from "@gateway/testkit";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRawServer, type RawServer } from "./support/raw-server.ts";
import { createWorld, patientMs, type World } from "./support/world.ts";

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

let world: World;
beforeAll(async () => {
  world = await createWorld({ standsStill: true });
});
afterAll(() => world.stop());

/** Behaviour of a connection at each request, by the number of the connection and of the request, which begin at 1. */
type Behaviour = (socket: Socket, at: { connection: number; request: number }) => void;

type Run = { outcomes: string[]; requests: number; connections: number };

/** Sends two events one after the other, the second on the connection that the first has left open. */
async function sendTwo(behave: Behaviour): Promise<Run> {
  let requests = 0;
  let connections = 0;
  const receiver: RawServer = await startRawServer(
    (socket) => {
      connections += 1;
      const connection = connections;
      let request = 0;
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
        const length = /content-length: (\d+)/i.exec(text)?.[1];
        const [, body] = text.split("\r\n\r\n");
        if (length !== undefined && body?.length === Number(length)) {
          text = "";
          request += 1;
          requests += 1;
          behave(socket, { connection, request });
        }
      });
    },
    await world.authority.issue(),
  );
  const webhook = await world.createWebhook({ url: receiver.url });
  const dispatcher = await world.startDispatcher({ timeoutMs: patientMs });
  try {
    for (const count of [1, 2]) {
      await world.send(webhook);
      await waitFor(async () => (await world.attempts(webhook)).length === count);
    }
    const outcomes = (await world.attempts(webhook)).map(({ outcome }) => outcome);
    return { outcomes, requests, connections };
  } finally {
    await dispatcher.stop();
    await receiver.close();
  }
}

const isKept = ({ request }: { request: number }): boolean => request > 1;

test.each<[string, (socket: Socket) => void]>([
  ["is closed", (socket) => socket.end()],
  ["is destroyed", (socket) => socket.destroy()],
])(
  "a kept connection that %s while a request comes costs no attempt: it is sent again on a new one",
  async (_, end) => {
    const run = await sendTwo((socket, at) => (isKept(at) ? end(socket) : socket.write(answer)));
    expect(run).toEqual({ outcomes: ["delivered", "delivered"], requests: 3, connections: 2 });
  },
);

test("it is sent again once: a new connection that ends as well is a failed attempt", async () => {
  const run = await sendTwo((socket, { connection, request }) =>
    connection === 1 && request === 1 ? socket.write(answer) : socket.destroy(),
  );
  expect(run).toEqual({ outcomes: ["delivered", "connection_failed"], requests: 3, connections: 2 });
});

test("a new connection that ends without an answer is a failed attempt at once", async () => {
  const run = await sendTwo((socket) => socket.destroy());
  expect(run).toEqual({ outcomes: ["connection_failed", "connection_failed"], requests: 2, connections: 2 });
});

test.each([
  ["a byte of it", "H"],
  ["its status", "HTTP/1.1 200 OK\r\n"],
  ["a word to go on", "HTTP/1.1 100 Continue\r\n\r\n"],
])("after %s of the answer was read nothing is sent again", async (_, text) => {
  const run = await sendTwo((socket, at) => (isKept(at) ? socket.end(text) : socket.write(answer)));
  expect(run).toEqual({ outcomes: ["delivered", "connection_failed"], requests: 2, connections: 1 });
});
