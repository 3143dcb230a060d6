import { unbuiltPage } from "@gateway/process";
import type { RequestHandler } from "express";
import type { BuiltPage } from "./built-page.ts";
import { createNonce, noncePlaceholder, pageHeaders, sendDocument } from "./page-headers.ts";

export type ServePageDeps = {
  page: BuiltPage;
  /** Why there is no page, when its build has failed. */
  failure(): string | null;
};

const yearSeconds = 31_536_000;

/** Serves the files of the page, and its one document for every other path. Without a session they contain no data. */
export function servePage({ page, failure }: ServePageDeps): RequestHandler {
  return async (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") {
      next();
      return;
    }
    req.visit.route = "page";
    if (req.path.includes(".") || req.path.startsWith("/assets/")) {
      const asset = await page.asset(req.path, req.get("Accept-Encoding") ?? "");
      if (!asset) {
        next();
        return;
      }
      res.setHeader("Vary", "Accept-Encoding");
      if (asset.encoding !== null) {
        res.setHeader("Content-Encoding", asset.encoding);
      }
      // The build names the files there after their content.
      const isForEver = req.path.startsWith("/assets/");
      res.setHeader("Cache-Control", isForEver ? `public, max-age=${yearSeconds}, immutable` : "no-cache");
      res.setHeader("Content-Type", asset.type);
      res.end(asset.content);
      return;
    }
    const document = await page.index(req.path);
    const nonce = createNonce();
    res.set(pageHeaders(nonce));
    if (document === null) {
      res.setHeader("Retry-After", "2");
      sendDocument(res, 503, unbuiltPage("console", "apps/console", failure()));
      return;
    }
    // Each response has a nonce of its own, so none is cached.
    sendDocument(res, 200, document.replaceAll(noncePlaceholder, nonce));
  };
}
