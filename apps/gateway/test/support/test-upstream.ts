import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Received = {
  method: string;
  target: string;
  headers: IncomingMessage["headers"];
  rawHeaders: string[];
  body: string;
};

export type TestUpstream = {
  url: string;
  /** Every received request, whole. */
  received: Received[];
  /** Handles a request whose body has been read. */
  answer: (res: ServerResponse, received: Received) => void;
  /** Number of open connections. */
  connections(): Promise<number>;
  stop(): Promise<void>;
};

export const upstreamSecret = "4Zp0u3r7mWqYc1sVb9xKd6Jt2nLfGh8E";

/**
 * An upstream on a real socket that behaves as a test says. `of` becomes it, for a test that needs it before it exists.
 */
export async function startTestUpstream(of: object = {}): Promise<TestUpstream> {
  const received: Received[] = [];
  const behaviour: Pick<TestUpstream, "answer" | "received"> = Object.assign(of, {
    received,
    answer: (res: ServerResponse) => void res.writeHead(500).end(),
  });
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const { method = "", url: target = "", headers, rawHeaders } = req;
      const one = { method, target, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      received.push(one);
      behaviour.answer(res, one);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return Object.assign(behaviour, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

/** The same for an existing service. */
export async function serve(listener: RequestListener): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function answerJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** Settings for one service, or for several at one address. */
export function upstreamEnv(url: string, services: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    services.flatMap((service) => {
      const name = `${service.toUpperCase().replaceAll("-", "_")}_UPSTREAM`;
      return [
        [name, url],
        [`${name}_SECRET`, upstreamSecret],
      ];
    }),
  );
}

export const moneyServices = ["ledger", "custody", "orchestra", "execution", "portfolio"] as const;
