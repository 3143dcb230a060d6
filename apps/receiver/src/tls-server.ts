import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";

export type TlsServerOptions = {
  host: string;
  /** 0 picks a free port. */
  port: number;
  certificate: string;
  key: string;
  handler: RequestListener;
  onTlsError(error: NodeJS.ErrnoException): void;
};

export type RunningTlsServer = { port: number; stop(): Promise<void> };

/** A slow client holds its connection for at most this long. */
const requestTimeoutMs = 10_000;
const stopTimeoutMs = 1_000;

/**
 * Rejects when the port is taken or the address is not this machine's. `localhost` is 127.0.0.1 for one client and ::1
 * for the next, so both are listened on; a machine without IPv6 does without ::1.
 */
export async function startTlsServer(options: TlsServerOptions): Promise<RunningTlsServer> {
  const isLocalhost = options.host === "localhost";
  const first = await listen(options, isLocalhost ? "127.0.0.1" : options.host, options.port);
  // A server that listens on TCP has an address of this kind.
  const { port } = first.address() as AddressInfo;
  try {
    const second = isLocalhost ? await listenIfOurs(options, "::1", port) : null;
    return { port, stop: async () => void (await Promise.all([stopServer(first), second && stopServer(second)])) };
  } catch (error) {
    await stopServer(first);
    throw error;
  }
}

async function listenIfOurs(options: TlsServerOptions, address: string, port: number): Promise<Server | null> {
  try {
    return await listen(options, address, port);
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT")
    ) {
      return null;
    }
    throw error;
  }
}

async function listen(options: TlsServerOptions, address: string, port: number): Promise<Server> {
  const server = createServer(
    {
      cert: options.certificate,
      key: options.key,
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      handshakeTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    options.handler,
  );
  server.on("tlsClientError", options.onTlsError);
  await once(server.listen({ host: address, port }), "listening");
  return server;
}

async function stopServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const rest = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
  await closed;
  clearTimeout(rest);
}
