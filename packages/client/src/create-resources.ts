import type { CallOptions, PostOptions } from "./call-options.ts";
import { createCallPromise, type CallPromise, type Opened } from "./call-promise.ts";
import { resources } from "./generated/resources.ts";
import type { ResourceCall, ResourceTable } from "./resource-table.ts";
import { PagedList, type List, type Page } from "./list.ts";
import type { Outgoing } from "./transport/send.ts";

type Params = Readonly<Record<string, unknown>>;

/** The parameters of a call by path, in addition to the path. */
type AskInit = PostOptions & {
  params?: { path?: Params; query?: Params; header?: CallOptions["headers"] };
  body?: unknown;
};

export type Ask = (method: Outgoing["method"], path: string, init?: AskInit) => Promise<Opened<unknown>>;

type ResourceMethod = (...args: unknown[]) => CallPromise<unknown> | List<unknown>;

type Methods = { [name: string]: ResourceMethod | Methods };

/** The methods that `Resources` types, made from the table. */
export function createResources(ask: Ask, table: ResourceTable = resources): Methods {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      isCall(entry) ? createMethod(ask, entry) : createResources(ask, entry),
    ]),
  );
}

function isCall(entry: ResourceCall | ResourceTable): entry is ResourceCall {
  return Array.isArray(entry);
}

/** Arguments are the ids in the order of the path, then the body or the query, then the options of the call. */
function createMethod(ask: Ask, [method, path, takes]: ResourceCall): ResourceMethod {
  const names = path.match(/\w+(?=\})/g) ?? [];
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
