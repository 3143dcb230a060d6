import type { CallOptions, PostOptions } from "./call-options.ts";
import { createCallPromise, type CallPromise, type Opened } from "./call-promise.ts";
import { resources } from "./generated/resources.ts";
import { PagedList, type List, type Page } from "./list.ts";
import type { Outgoing } from "./transport/send.ts";

/** Method and path of an operation, and what it takes beside the ids in its path. */
export type ResourceCall = readonly [method: Outgoing["method"], path: string, takes?: "body" | "query" | "list"];

type Params = Readonly<Record<string, unknown>>;

/** What a call by path takes beside the path. */
export type AskInit = PostOptions & {
  params?: { path?: Params; query?: Params; header?: CallOptions["headers"] };
  body?: unknown;
};

export type Ask = (method: Outgoing["method"], path: string, init?: AskInit) => Promise<Opened<unknown>>;

type ResourceMethod = (...args: unknown[]) => CallPromise<unknown> | List<unknown>;

/** The methods that `Resources` types, from the table beside it. */
export function createResources(ask: Ask): Record<string, Record<string, ResourceMethod>> {
  return mapValues<Readonly<Record<string, ResourceCall>>, Record<string, ResourceMethod>>(resources, (calls) =>
    mapValues(calls, (call) => createMethod(ask, call)),
  );
}

/** Arguments are the ids in the order of the path, then the body or the query, then the options of the call. */
function createMethod(ask: Ask, [method, path, takes]: ResourceCall): ResourceMethod {
  const names = path.match(/(?<=\{)\w+/g) ?? [];
  return (...args) => {
    const afterIds = args.slice(names.length);
    // The types of the generated methods say so.
    const [input = {}, options] = (takes ? afterIds : [undefined, ...afterIds]) as [
      input?: Params,
      options?: PostOptions,
    ];
    const ids = names.length > 0 && { path: Object.fromEntries(names.map((name, index) => [name, args[index]])) };
    const askFor = (query: Params): Promise<Opened<unknown>> =>
      ask(method, path, { ...options, params: { ...ids, query }, ...(takes === "body" && { body: input }) });
    return takes === "list"
      ? // The document says of these that they answer pages.
        new PagedList((cursor) => askFor(cursor ? { ...input, cursor } : input) as Promise<Page<unknown>>)
      : createCallPromise(askFor(takes === "query" ? input : {}));
  };
}

function mapValues<From, To>(table: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value)]));
}
