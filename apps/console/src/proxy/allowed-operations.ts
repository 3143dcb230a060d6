import { createFindPath, type OperationPolicy } from "@gateway/contract";

/** What a request target names: an operation, a path that has others, or nothing. */
export type AllowedTarget =
  | { kind: "operation"; operation: OperationPolicy; target: string }
  | { kind: "otherMethod"; methods: readonly string[] }
  | { kind: "nothing" };

/** Finds the operation of a request by its method and its target, byte by byte as they came. */
export type FindAllowed = (method: string | undefined, target: string) => AllowedTarget;

/** An id or a symbol: no encoding, nothing that a reader of paths takes for a step. */
const parameter = /^(?!\.{1,2}$)[\w.:~-]{1,128}$/;
/** Visible ASCII without `#`: the gateway reads the rest. */
const query = /^[!"$-~]*$/;
const maxTargetCharacters = 8 * 1024;

/**
 * Finds the operation of a request by the templates of the document. What fits is sent on as it came, so nothing is
 * decoded or resolved: dot segments, encoded slashes, another host and unknown methods fit none.
 */
export function createFindAllowed(operations: readonly OperationPolicy[]): FindAllowed {
  const findPath = createFindPath(operations, (segment) => parameter.test(segment));
  return (method, target) => {
    const at = target.indexOf("?");
    const [path, rest] = at === -1 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
    const found = target.length <= maxTargetCharacters && query.test(rest) ? findPath(path) : null;
    if (!found) {
      return { kind: "nothing" };
    }
    const operation = found.operations.get(method ?? "");
    return operation
      ? { kind: "operation", operation, target }
      : { kind: "otherMethod", methods: [...found.operations.keys()] };
  };
}
