import { createFindPath, type OperationPolicy } from "@gateway/contract";

/** The target of a request: an operation, a path with other methods, or nothing. */
type AllowedTarget =
  | { kind: "operation"; operation: OperationPolicy; target: string }
  | { kind: "otherMethod"; methods: readonly string[] }
  | { kind: "nothing" };

/** Finds the operation of a request by its method and its target, byte by byte as received. */
export type FindAllowed = (method: string | undefined, target: string) => AllowedTarget;

/** An id or a symbol, without an encoding or a dot segment. */
const parameter = /^(?!\.{1,2}$)[\w.:~-]{1,128}$/;
/** Visible ASCII without `#`. The gateway checks the rest. */
const query = /^[!"$-~]*$/;
const maxTargetCharacters = 8 * 1024;

/**
 * Finds the operation of a request by the templates of the document. A matching target is forwarded as received, so
 * nothing is decoded or resolved. Dot segments, encoded slashes, another host and unknown methods do not match.
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
