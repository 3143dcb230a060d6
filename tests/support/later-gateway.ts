import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export type LaterGateway = {
  url: string;
  /** The names of the credential headers of each request since the last call, such as `x-api-key`. */
  takeCredentials(): string[][];
  /** Switches to responses of a later release, with fields and values that the document does not have yet. */
  grow(isLater: boolean): void;
  stop(): Promise<void>;
};

/**
 * A proxy in front of a gateway that notes the credential headers of each request, and may respond as a later release.
 */
export async function startLaterGateway(target: string): Promise<LaterGateway> {
  let credentials: string[][] = [];
  let isLater = false;
  const server = createServer((req, res) => {
    credentials.push(["x-api-key", "authorization"].filter((name) => name in req.headers));
    void forward(req, target).then(({ status, headers, body }) => {
      res.writeHead(status, headers).end(JSON.stringify(isLater ? grown(body) : body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A listening TCP server has an address of this kind.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeCredentials: () => credentials.splice(0),
    grow: (later) => {
      isLater = later;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const handedOn = ["x-api-key", "authorization", "content-type", "idempotency-key"];
const handedBack = ["content-type", "idempotency-replayed", "x-request-id"];

async function forward(req: IncomingMessage, target: string) {
  const { method = "GET", url = "/" } = req;
  const headers = handedOn.flatMap((name) => {
    const value = req.headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  const body = method === "POST" ? JSON.stringify(await json(req)) : null;
  const answer = await fetch(target + url, { method, headers, body });
  const kept = handedBack.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  // Every response of the gateway is an object.
  return { status: answer.status, headers: Object.fromEntries(kept), body: (await answer.json()) as object };
}

type Fields = Record<string, unknown>;

/** Adds a field to every object, and a value to the lists that are extensible: statuses of wallets, codes of errors. */
function grown(body: object): object {
  return grownValue(body) as object;
}

function grownValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(grownValue);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const fields: Fields = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, grownValue(child)]));
  return {
    ...fields,
    // The keys of metadata belong to the caller.
    ...(Object.keys(fields).length > 0 && { addedLater: { at: [1] } }),
    ...("status" in fields && { status: "added_later" }),
    ...("code" in fields && { code: "ADDED_LATER" }),
  };
}
