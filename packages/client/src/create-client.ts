import { createFinalURL, createQuerySerializer, mergeHeaders, removeTrailingSlash } from "openapi-fetch";
import { createResources, type Ask } from "./create-resources.ts";
import type { Resources } from "./generated/resources.ts";
import type { PathCall } from "./operation-types.ts";
import { fillPath } from "./fill-path.ts";
import { follow, type Followed, type FollowedPage, type FollowedRequests, type FollowOptions } from "./follow.ts";
import { readOptions, type ClientOptions } from "./client-options.ts";
import { readRateLimit, type RateLimit } from "./rate-limit.ts";
import { readUserAgent } from "./user-agent.ts";
import { serviceOf } from "./service-urls.ts";
import { systemDeps, type Deps } from "./transport/deps.ts";
import { send, type Sender } from "./transport/send.ts";

export interface Client extends Resources {
  events: Resources["events"] & {
    /** All events after a place, as they happen. */
    follow(options?: FollowOptions): Followed;
  };
  requestLogs: Resources["requestLogs"] & {
    /**
     * All requests of the account after a place, within a second of their responses, except reads of the log itself.
     */
    follow(options?: FollowOptions & { source?: "api" | "console" }): Followed<FollowedRequests>;
  };
  GET: PathCall<"get">;
  POST: PathCall<"post">;
  PUT: PathCall<"put">;
  PATCH: PathCall<"patch">;
  DELETE: PathCall<"delete">;
  /** The rate limit in the latest response; null before the first one. */
  readonly rateLimit: RateLimit | null;
}

/** A client of one gateway with one credential. Throws a TypeError that says what is wrong with the options. */
export function createClient(options: ClientOptions): Client {
  return createClientWith(options, systemDeps);
}

/** For tests, which have a clock of their own. */
export function createClientWith(options: ClientOptions, deps: Deps): Client {
  const { baseUrl, serviceUrls, ...sender } = readOptions(options);
  let latest: Headers | null = null;
  const findBaseUrl = (path: string): string => {
    const service = serviceOf(path);
    return (service && serviceUrls[service]) ?? baseUrl;
  };
  const ask = createAsk(findBaseUrl, {
    ...sender,
    deps,
    onAnswer: (headers) => {
      latest = headers;
    },
  });
  const client = {
    GET: ask.bind(null, "GET"),
    POST: ask.bind(null, "POST"),
    PUT: ask.bind(null, "PUT"),
    PATCH: ask.bind(null, "PATCH"),
    DELETE: ask.bind(null, "DELETE"),
    get rateLimit() {
      return latest && readRateLimit(latest);
    },
  };
  // The resources are made of the same document as their types.
  const resources = Object.assign(client, createResources(ask)) as unknown as Client;
  resources.events.follow = (options) => follow<FollowedPage>(ask, "/api/v1/events", options);
  resources.requestLogs.follow = (options) => follow<FollowedRequests>(ask, "/api/v1/request-logs", options);
  return resources;
}

/** Composes path, query and headers by openapi-fetch's functions: its own call makes a Request, which is sent once. */
function createAsk(findBaseUrl: (path: string) => string, sender: Sender): Ask {
  const urlOptions = {
    pathSerializer: fillPath,
    querySerializer: createQuerySerializer(),
  };
  const userAgent = readUserAgent();
  const ownHeaders = userAgent === null ? {} : { "User-Agent": userAgent };
  return async (method, path, { params = {}, body, headers, ...options } = {}) =>
    send(sender, {
      ...options,
      method,
      url: createFinalURL(path, { ...urlOptions, baseUrl: removeTrailingSlash(findBaseUrl(path)), params }),
      headers: mergeHeaders(ownHeaders, body === undefined ? {} : jsonHeaders, headers, params.header),
      body: JSON.stringify(body),
    });
}

const jsonHeaders = { "Content-Type": "application/json" };
