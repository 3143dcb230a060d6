import { connect, type Socket } from "node:net";

export type SlowKind = "headers" | "body" | "silent";

export type SlowClient = {
  kind: SlowKind;
  /** The gateway's response before it closed the connection. */
  received(): string;
  /** Resolves with the time the connection was open, in ms. */
  closed: Promise<number>;
  destroy(): void;
};

const dripIntervalMs = 1000;

/**
 * A client that never ends its request. It adds a byte a second to its headers or to its body, or sends nothing at all.
 */
export function startSlowClient(port: number, kind: SlowKind, key: string): SlowClient {
  const openedAt = performance.now();
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("connect", () => socket.write(beginningOf(kind, key)));
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  // A cut connection ends with an error for a client that still writes; `close` follows.
  socket.on("error", () => {});
  const timer = kind === "silent" ? undefined : setInterval(() => drip(socket), dripIntervalMs);
  const closed = new Promise<number>((resolve) => {
    socket.once("close", () => {
      clearInterval(timer);
      resolve(performance.now() - openedAt);
    });
  });
  return { kind, closed, received: () => received, destroy: () => socket.destroy() };
}

function beginningOf(kind: SlowKind, key: string): string {
  const head = "POST /api/v1/wallets HTTP/1.1\r\nHost: gateway\r\n";
  switch (kind) {
    case "headers":
      return `${head}X-Slow: `;
    case "body":
      return `${head}X-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`;
    case "silent":
      return "";
  }
}

function drip(socket: Socket): void {
  if (socket.writable) {
    socket.write(" ");
  }
}
