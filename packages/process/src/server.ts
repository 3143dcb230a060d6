import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { respondToUnreadable, tunnelRefused, type AnswerUnreadable } from "./unreadable-request.ts";

export type RunningServer = {
  port: number;
  /** Accepts no new connection, completes requests in flight, closes the rest after `deadlineMs`. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
};

export type ServerOptions = {
  host: string;
  /** 0 picks a free port. */
  port: number;
  handler: RequestListener;
  /** Responds to a request that could not be parsed or did not arrive in time; with a line of text by default. */
  answerUnreadable?: AnswerUnreadable;
};

/** A slow or silent client holds its connection for at most 20 s. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 20_000;
/** Longer than the idle time of common proxies (60 s), so that the proxy closes first. */
const keepAliveTimeoutMs = 65_000;
/** Node's default, which its environment may change. It bounds the target plus the names and values of headers. */
const maxHeaderSizeBytes = 16 * 1024;

/** Rejects when the address is taken or does not belong to this machine. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const answering = new WeakMap<Socket, ServerResponse>();
  const unreadable = new WeakSet<Socket>();
  const underWay = new Set<ServerResponse>();
  let isStopping = false;
  const onRequest: RequestListener = (req, res) => {
    answering.set(req.socket, res);
    underWay.add(res);
    res.once("close", () => underWay.delete(res));
    if (isStopping) {
      res.shouldKeepAlive = false;
    }
    options.handler(req, res);
  };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: maxHeaderSizeBytes,
      // Node would respond to these requests itself, without our envelope.
      requireHostHeader: false,
    },
    onRequest,
  );
  // Node 22 drops headers after the 2000th, a second credential for instance. The limit of their size bounds their
  // number.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", onRequest);
  // Node cuts the connection of a CONNECT that has no listener.
  server.on("connect", (_req, socket: Socket) => {
    server.emit("clientError", Object.assign(new Error("CONNECT"), { code: tunnelRefused }), socket);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!unreadable.has(socket)) {
      unreadable.add(socket);
      answerInTurn(error, { socket, res: answering.get(socket), answer: options.answerUnreadable });
    }
  });
  await once(server.listen({ host: options.host, port: options.port, backlog: 1024 }), "listening");
  return {
    // A server that listens at a host and a port has an address of this type, not the path of a pipe.
    port: (server.address() as AddressInfo).port,
    stop: (deadlineMs) => {
      isStopping = true;
      underWay.forEach((res) => (res.shouldKeepAlive = false));
      return stopServer(server, deadlineMs);
    },
  };
}

type Unanswered = { socket: Socket; res: ServerResponse | undefined; answer: AnswerUnreadable | undefined };

/** Waits for the response to a complete earlier request. An error in the rest of its body is that request's error. */
function answerInTurn(error: NodeJS.ErrnoException, { socket, res, answer }: Unanswered): void {
  if (res?.req.complete && !res.writableFinished) {
    res.once("finish", () => answerInTurn(error, { socket, res, answer }));
    return;
  }
  const hasLeft = res !== undefined && res.headersSent && !res.req.complete;
  if (!socket.writable || hasLeft) {
    socket.destroy();
    return;
  }
  void respondToUnreadable(error, { socket, answer });
}

/**
 * `http.Server.close` would also cut idle connections, on which a request may arrive. They get `Connection: close`.
 */
async function stopServer(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idle = setTimeout(() => server.closeIdleConnections(), deadlineMs / 2);
  const rest = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(rest);
  // Stops Node's own timer for slow requests.
  server.close();
}
