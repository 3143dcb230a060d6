import { Problem } from "@gateway/contract";
import type { RequestHandler } from "express";
import { findMeantPath } from "../validation/meant-path.ts";

/** Answers a known path's other methods: 405, with the methods that it takes (RFC 9110, 15.5.6). */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const taken = methods.map((method) => method.toUpperCase());
  const allow = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return (req) => {
    throw new Problem("METHOD_NOT_ALLOWED", `This path does not take ${req.method}; it takes ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/** Answers every path that is not in the document. The path is not repeated: it may hold a secret. */
export function refusePath(paths: readonly string[]): RequestHandler {
  return function refuseUnknownPath(req) {
    const meant = findMeantPath(req.path, paths);
    const hint =
      meant === null
        ? "Paths are case-sensitive and take no trailing slash; the reference lists them all."
        : `Did you mean ${meant}?`;
    throw new Problem("NOT_FOUND", `There is nothing at this path. ${hint}`);
  };
}
