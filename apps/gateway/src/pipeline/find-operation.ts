import type { OperationPolicy } from "@gateway/contract";

/** The operation that a request would have reached, by its method and its path without the query; null of none. */
export type FindOperation = (request: { method: string; path: string }) => OperationPolicy | null;

/** For who is refused before the routes are asked. In their order, as they are asked: the first path that fits decides. */
export function createFindOperation(policies: readonly OperationPolicy[]): FindOperation {
  const byLength = Map.groupBy(
    [...Map.groupBy(policies, ({ path }) => path)].map(([path, operations]) => ({
      segments: path.split("/"),
      byMethod: new Map(operations.map((operation) => [operation.method.toUpperCase(), operation])),
    })),
    ({ segments }) => segments.length,
  );
  return ({ method, path }) => {
    const given = path.split("/");
    const found = byLength.get(given.length)?.find(({ segments }) => isFitting(segments, given));
    return found?.byMethod.get(method === "HEAD" ? "GET" : method) ?? null;
  };
}

function isFitting(segments: readonly string[], given: readonly string[]): boolean {
  return segments.every((segment, index) => (segment.startsWith("{") ? given[index] !== "" : given[index] === segment));
}
