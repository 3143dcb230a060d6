import { createFindPath, Problem, type OperationPolicy } from "@gateway/contract";
import type { RequestHandler } from "express";
import { findEmptyPlace, findMeantPath } from "../validation/meant-path.ts";

/** Refuses a known path's other methods with 405 and the methods that it has (RFC 9110, 15.5.6). */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const taken = methods.map((method) => method.toUpperCase());
  const allow = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return (req) => {
    throw new Problem("METHOD_NOT_ALLOWED", `This path does not take ${req.method}; it takes ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

export type KnownOperations = {
  /** Operations mounted in this app. */
  mounted: readonly OperationPolicy[];
  /** Operations of the deployment, at this address or another. */
  policies: readonly OperationPolicy[];
};

/** Refuses every path that is not mounted. The path is not repeated, because it may hold a secret. */
export function refusePath({ mounted, policies }: KnownOperations): RequestHandler {
  const [here, anywhere] = [pathsOf(mounted), pathsOf(policies)];
  const isPart = here.length < anywhere.length;
  const findFilled = createFindPath(mounted, () => true);
  const usual = "Paths are case-sensitive and take no trailing slash; the reference lists them all.";
  return function refuseUnknownPath(req) {
    const meant = findMeantPath(req.path, anywhere);
    const empty = findEmptyPlace(req.path, findFilled);
    // An empty segment within a path is meant for an id; one at the end may also be a slash too many.
    const isMeant = meant !== null && here.includes(meant) && (empty === null || req.path.endsWith("/"));
    const known = [isMeant ? `Did you mean ${meant}?` : null, empty && describeEmptyPlace(empty)]
      .filter((hint) => hint !== null)
      .join(" ");
    // The other addresses are not known here, because the operator names them.
    const hint =
      known || (isPart ? "This address has the paths of some services only; the gateway has them all." : usual);
    throw new Problem("NOT_FOUND", `There is nothing at this path. ${hint}`);
  };
}

function pathsOf(policies: readonly OperationPolicy[]): string[] {
  return [...new Set(policies.map(({ path }) => path))];
}

function describeEmptyPlace({ path, names }: { path: string; names: readonly string[] }): string {
  const [verb, come] = names.length === 1 ? ["is", "it comes from"] : ["are", "they come from"];
  return `In ${path} the ${names.join(" and the ")} ${verb} empty; is the variable that ${come} set?`;
}
