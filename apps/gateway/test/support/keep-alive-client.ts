import { Agent, request } from "node:http";

export type Outcome =
  | { kind: "answered"; status: number; closes: boolean }
  /** The connection was refused or cut before our first byte was received: a client may safely go elsewhere. */
  | { kind: "refused" }
  /** A connection that had worked was cut under a request: the client cannot know its outcome. */
  | { kind: "lost"; error: Error };

export type KeepAliveClient = {
  send(options: { method: string; path: string; headers: Record<string, string>; body?: string }): Promise<Outcome>;
  close(): void;
};

/** A client that keeps its one connection for as long as the server lets it, as connection pools do. */
export function createKeepAliveClient(port: number): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: ({ body, ...options }) =>
      new Promise((resolve) => {
        const outgoing = request({ host: "127.0.0.1", port, agent, ...options }, (res) => {
          res.on("error", (error) => resolve({ kind: "lost", error }));
          res.on("end", () =>
            resolve({ kind: "answered", status: res.statusCode ?? 0, closes: res.headers.connection === "close" }),
          );
          res.resume();
        });
        outgoing.on("error", (error) => resolve(outgoing.reusedSocket ? { kind: "lost", error } : { kind: "refused" }));
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}
