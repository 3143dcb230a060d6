import { createServer, type ServerOptions } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { IssuedCertificate } from "@gateway/receiver/certificates";

export type Received = {
  path: string;
  body: string;
  signature: string;
  requestId: string | null;
  id: string;
};

export type TestReceiver = {
  url: string;
  port: number;
  received: Received[];
  /** Number of connections, whether or not a request came. */
  connections(): number;
  /** Sets the response to requests; 200 until it is called. */
  answerWith(answer: Answer): void;
  close(): Promise<void>;
};

export type Answer = (res: ServerResponse, request: Received, req: IncomingMessage) => void;

/** A real HTTPS server on a free port that keeps everything it gets. */
export async function startReceiver(
  certificate: IssuedCertificate,
  options: ServerOptions = {},
): Promise<TestReceiver> {
  const received: Received[] = [];
  let connections = 0;
  let answer: Answer = (res) => res.writeHead(200).end("ok");
  const server = createServer({ cert: certificate.certificate, key: certificate.key, ...options }, (req, res) => {
    void readBody(req).then((body) => {
      const request: Received = {
        path: req.url ?? "",
        body,
        signature: String(req.headers["x-service-signature"]),
        requestId: req.headers["x-request-id"]?.toString() ?? null,
        id: idOf(body),
      };
      received.push(request);
      answer(res, request, req);
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/hooks`,
    port,
    received,
    connections: () => connections,
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Responds with these statuses in turn, then always with the last one. */
export function statuses(...list: number[]): Answer {
  let index = 0;
  return (res) => {
    res.writeHead(list[Math.min(index, list.length - 1)] ?? 200).end();
    index += 1;
  };
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

function idOf(body: string): string {
  try {
    return (JSON.parse(body) as { id: string }).id;
  } catch {
    return "";
  }
}
