import type { OperationPolicy } from "./operation-policy.ts";

/** A path of the document with its parameters in braces, and its operations by their method in upper case. */
type FoundPath = { path: string; operations: ReadonlyMap<string, OperationPolicy> };

/** Takes a path without its query; null when it fits no path of the table. */
export type FindPath = (path: string) => FoundPath | null;

/**
 * The table of paths, compared byte by byte: the only place that compares a path with the document's. `isValue` decides
 * whether a segment may be a parameter's value. Rows are tried in the table's order, like routes.
 */
export function createFindPath(
  policies: readonly OperationPolicy[],
  isValue: (segment: string) => boolean = (segment) => segment !== "",
): FindPath {
  const rows = [...Map.groupBy(policies, ({ path }) => path)].map(([path, ofPath]) => ({
    path,
    segments: path.split("/"),
    operations: new Map(ofPath.map((operation) => [operation.method.toUpperCase(), operation])),
  }));
  const byLength = Map.groupBy(rows, ({ segments }) => segments.length);
  return (path) => {
    const given = path.split("/");
    const fits = (wanted: string, index: number): boolean =>
      wanted.startsWith("{") ? isValue(given[index] ?? "") : given[index] === wanted;
    return byLength.get(given.length)?.find(({ segments }) => segments.every(fits)) ?? null;
  };
}
