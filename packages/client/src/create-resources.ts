import type { CallOptions } from "./call-options.ts";
import { resources } from "./generated/resources.ts";
import { PagedList, type List, type Page } from "./list.ts";

/** Method and path of an operation, and what it takes beside the ids in its path. */
export type ResourceCall = readonly [
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  takes?: "body" | "query" | "list",
];

/** A call by path; resolves to the opened envelope. */
export type Ask = (
  method: ResourceCall[0],
  path: string,
  init?: object,
) => Promise<{ data: unknown; meta: unknown; response: Response }>;

type Method = (...args: unknown[]) => Promise<unknown> | List<unknown>;

/** The methods that `Resources` types, from the table beside it. */
export function createResources(ask: Ask): Record<string, Record<string, Method>> {
  return mapValues<Readonly<Record<string, ResourceCall>>, Record<string, Method>>(resources, (calls) =>
    mapValues(calls, (call) => createMethod(ask, call)),
  );
}

/** Arguments are the ids in the order of the path, then the body or the query, then the options of the call. */
function createMethod(ask: Ask, [method, path, takes]: ResourceCall): Method {
  const names = path.match(/(?<=\{)\w+/g) ?? [];
  const afterIds = names.length + (takes ? 1 : 0);
  return (...args) => {
    const input = takes && (args[names.length] ?? {});
    // The types of the generated methods say so.
    const options = args[afterIds] as CallOptions | undefined;
    const ids = names.length > 0 && { path: Object.fromEntries(names.map((name, index) => [name, args[index]])) };
    const askFor = (query: unknown): ReturnType<Ask> =>
      ask(method, path, { ...options, params: { ...ids, query }, ...(takes === "body" && { body: input }) });
    return takes === "list"
      ? new PagedList((cursor) => askFor(cursor ? { ...(input as object), cursor } : input) as Promise<Page<unknown>>)
      : askFor(takes === "query" ? input : undefined).then(({ data }) => data);
  };
}

function mapValues<From, To>(table: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value)]));
}
