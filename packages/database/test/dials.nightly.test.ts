import { connect, createServer, type Socket } from "node:net";
import { recordFigure, startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/index.ts";
import { startCallers } from "./support/callers.ts";

const acceptEveryMs = 200;
const backWithinMs = 15_000;
const callerCount = 64;

/**
 * Accepts five connections a second, in the order in which they came. A connection that was given up meanwhile takes as
 * long: a server starts a process for it, which only then finds it closed.
 */
async function startNarrowDoor(port: number): Promise<{ port: number; close(): Promise<void> }> {
  const queue: Socket[] = [];
  const sockets = new Set<Socket>();
  const letIn = (socket: Socket): void => {
    const inside = connect(port, "127.0.0.1");
    for (const [one, other] of [[socket, inside] as const, [inside, socket] as const]) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    socket.pipe(inside).pipe(socket);
  };
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on("error", () => {});
    queue.push(socket);
  });
  const timer = setInterval(() => {
    const socket = queue.shift();
    if (socket && !socket.destroyed) {
      letIn(socket);
    }
  }, acceptEveryMs);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      clearInterval(timer);
      [...queue, ...sockets].forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.end());

test("Postgres accepts five connections a second after a restart: 64 callers in two processes are served within 15 s", async () => {
  const url = new URL(postgres.url);
  const door = await startNarrowDoor(Number(url.port));
  url.port = String(door.port);
  const processes = ["one", "another"].map((applicationName) => {
    const db = openDatabase<unknown>({ url: url.href, applicationName });
    return {
      db,
      listener: db.listen("news", { onNotification: () => {} }),
      callers: startCallers(db, callerCount / 2),
    };
  });
  onTestFinished(async () => {
    await Promise.all(
      processes.map(async ({ db, listener, callers }) => {
        await Promise.all([callers.stop(), listener.close()]);
        await db.close();
      }),
    );
    await door.close();
  });
  const servedCount = (): number => processes.reduce((sum, { callers }) => sum + callers.servedCount(), 0);
  const isBack = (): boolean =>
    servedCount() === callerCount && processes.every(({ listener }) => listener.isHealthy());
  await waitFor(isBack);

  await postgres.stop();
  await waitFor(() => servedCount() === 0);
  // Long enough that callers would have dialled many times.
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  await postgres.start();
  const startedAtMs = performance.now();
  await waitFor(isBack, { timeoutMs: 120_000 });
  const backAfterMs = performance.now() - startedAtMs;
  recordFigure({ name: "64 callers served again behind five connections a second", value: backAfterMs, unit: "ms" });
  expect(backAfterMs).toBeLessThan(backWithinMs);
});
