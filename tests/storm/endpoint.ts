import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { signatureHeaderName, verifyWebhook } from "@gateway/webhooks";
import type { IssuedCertificate } from "@gateway/receiver/certificates";
import type { Answer, Behaviour } from "./behaviours.ts";
import type { Random } from "./random.ts";

/** The arrivals of one event at an endpoint. */
export type Arrivals = {
  count: number;
  acceptedCount: number;
  /** Arrivals that reset a kept connection. The dispatcher repeats these at once, without an attempt (ADR 79). */
  keptResetCount: number;
  /** The event's own number from 0 to 1. */
  luck: number;
};

export type Endpoint = {
  name: string;
  /** The account whose webhook points here. */
  accountId: string;
  isHopeless: boolean;
  url: string;
  /** Sets the webhook's secret. Before that, no signature can be verified. */
  useSecret(secret: string): void;
  arrivals: ReadonlyMap<string, Arrivals>;
  /** The number of requests with a wrong signature. */
  forgedCount(): number;
  close(): Promise<void>;
};

/**
 * Starts a real HTTPS server on a port of its own. It verifies each request, counts it, and responds by its behaviour.
 */
export async function startEndpoint(behaviour: Behaviour, deps: EndpointDeps): Promise<Endpoint> {
  const arrivals = new Map<string, Arrivals>();
  const used = new WeakSet<IncomingMessage["socket"]>();
  let secret = "";
  let forgedCount = 0;
  const receive = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await buffer(req);
    const event = await verifyWebhook(body, req.headers[signatureHeaderName.toLowerCase()], secret).catch(() => null);
    if (!event) {
      forgedCount += 1;
      res.writeHead(400).end();
      return;
    }
    // Derives the faults from the object's number, so that an event meets the same faults in any order of events.
    const numbers = deps.random.stream(nameOf(event.data.object));
    const seen = arrivals.get(event.id) ?? {
      ...{ count: 0, acceptedCount: 0, keptResetCount: 0 },
      luck: numbers.fraction(),
    };
    arrivals.set(event.id, seen);
    seen.count += 1;
    const answer = behaviour.answer(seen, numbers.stream(`attempt ${seen.count}`));
    if (answer.kind === "reset" && used.has(req.socket)) {
      seen.keptResetCount += 1;
    }
    used.add(req.socket);
    if (await give(answer, req, res)) {
      seen.acceptedCount += 1;
    }
  };
  const server = createServer({ cert: deps.certificate.certificate, key: deps.certificate.key }, (req, res) => {
    // A killed dispatcher closes the connection in the middle of a request.
    receive(req, res).catch(() => res.destroy());
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    name: behaviour.name,
    accountId: deps.accountId,
    isHopeless: behaviour.isHopeless ?? false,
    url: `https://localhost:${port}/hooks`,
    useSecret: (told) => {
      secret = told;
    },
    arrivals,
    forgedCount: () => forgedCount,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export type EndpointDeps = { certificate: IssuedCertificate; random: Random; accountId: string };

/** The id that the storm gave to the event's object. */
function nameOf(object: object): string {
  return "id" in object ? String(object.id) : "";
}

/** Resolves to whether a success was handed to the network. */
async function give(answer: Answer, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
  if (answer.kind === "hang") {
    return false;
  }
  if (answer.kind === "reset") {
    req.socket.destroy();
    return false;
  }
  if (answer.afterMs > 0) {
    await new Promise((resolve) => setTimeout(resolve, answer.afterMs));
  }
  res.writeHead(answer.status).end();
  return answer.status === 200;
}
