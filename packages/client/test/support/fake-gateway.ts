import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

type Seen = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

/** The response to one request. The last reply repeats for all later ones. */
export type Reply = (res: ServerResponse, seen: Seen) => void;

export type FakeGateway = { url: string; seen: Seen[]; stop(): Promise<void> };

/** A small server on a real socket, for faults that the gateway does not make. */
export async function startFakeGateway(...replies: readonly Reply[]): Promise<FakeGateway> {
  const seen: Seen[] = [];
  const server = createServer((req, res) => {
    let body = "";
    req.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    req.on("end", () => {
      const one = { method: req.method ?? "", path: req.url ?? "", headers: req.headers, body };
      seen.push(one);
      replies[Math.min(seen.length, replies.length) - 1]?.(res, one);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A listening TCP server has an address of this kind.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export const meta = { requestId: "req_01kk96r47yfjerprpgzd5v28dc", timestamp: "2026-03-09T11:47:03.550Z" };

/** A success in the envelope. */
export function data(found: unknown, more: object = {}, headers: Record<string, string> = {}): Reply {
  return (res) => answer(res, 200, { data: found, meta: { ...meta, ...more } }, headers);
}

/** A refusal in the envelope. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}, details?: object[]): Reply {
  return (res) =>
    answer(res, status, { error: { code, message: "It was refused.", ...(details && { details }) }, meta }, headers);
}

export function page(ids: readonly string[], nextCursor: string | null): Reply {
  return data(
    ids.map((id) => ({ id })),
    { hasMore: nextCursor !== null, nextCursor },
  );
}

/** The connection ends without a response. */
export const cut: Reply = (res) => res.destroy();

/** The headers and a part of the body, then the connection ends. */
export const breakOff: Reply = (res) => {
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
  res.write('{"data":{"id":"wal_1"', () => res.destroy());
};

/** Receives the request and never responds. */
export const hang: Reply = () => {};

export function answer(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { "Content-Type": "application/json", ...headers });
  res.end(typeof body === "string" ? body : JSON.stringify(body));
}
