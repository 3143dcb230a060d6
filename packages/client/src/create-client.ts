import type { Paths } from "@gateway/contract";
import createFetchClient, { createQuerySerializer } from "openapi-fetch";
import { createResources, type Ask } from "./create-resources.ts";
import type { Resources } from "./generated/resources.ts";
import type { PathCall } from "./operation-types.ts";
import { fillPath } from "./fill-path.ts";
import { readOptions, type ClientOptions } from "./client-options.ts";
import { readRateLimit, type RateLimit } from "./rate-limit.ts";
import { systemDeps, type Deps } from "./transport/deps.ts";
import { send, type Outgoing, type Sender, type Sent } from "./transport/send.ts";

export interface Client extends Resources {
  GET: PathCall<"get">;
  POST: PathCall<"post">;
  PATCH: PathCall<"patch">;
  DELETE: PathCall<"delete">;
  /** What the latest answer said; null before the first one. */
  readonly rateLimit: RateLimit | null;
}

/** A client of one gateway with one credential. Throws a TypeError that says what is wrong with the options. */
export function createClient(options: ClientOptions): Client {
  return createClientWith(options, systemDeps);
}

/** For tests, which have a clock of their own. */
export function createClientWith(options: ClientOptions, deps: Deps): Client {
  const { baseUrl, ...sender } = readOptions(options);
  let latest: Headers | null = null;
  const ask = createAsk(baseUrl, {
    ...sender,
    deps,
    onAnswer: (headers) => {
      latest = headers;
    },
  });
  const client = {
    GET: ask.bind(null, "GET"),
    POST: ask.bind(null, "POST"),
    PATCH: ask.bind(null, "PATCH"),
    DELETE: ask.bind(null, "DELETE"),
    get rateLimit() {
      return latest && readRateLimit(latest);
    },
  };
  // The resources are made of the same document as their types.
  return Object.assign(client, createResources(ask)) as unknown as Client;
}

/**
 * openapi-fetch puts path, query, headers and body together; `send` takes the place of its fetch, and `Outgoing` that of its Request,
 * which could be sent only once. "stream" keeps it from reading what `send` has read: it hands on
 * `body`, which here is the parsed envelope.
 */
function createAsk(baseUrl: string, sender: Sender): Ask {
  const inner = createFetchClient<Paths>({
    baseUrl,
    Request: createOutgoing as unknown as typeof Request,
    fetch: ((outgoing: unknown) => send(sender, outgoing as Outgoing)) as unknown as InnerFetch,
    pathSerializer: fillPath,
    // Made once: openapi-fetch would make its own at each call.
    querySerializer: createQuerySerializer(),
  });
  return (method, path, init) => {
    const call = inner[method] as unknown as InnerCall;
    return call(path, { ...init, parseAs: "stream" }).then(({ data }) => data);
  };
}

type InnerFetch = (input: Request) => Promise<Response>;
type InnerCall = (path: string, init: object) => Promise<{ data: Sent["body"] }>;

/** Called with `new`; what it returns is what `new` gives. */
function createOutgoing(url: string, init: Omit<Outgoing, "url">): Outgoing {
  return { ...init, url };
}
