import { rateLimitHeaders } from "@gateway/limits";
import type { RequestHandler } from "express";
import { refuseTooMany } from "./answer-failure.ts";
import type { Throttle } from "./browser/throttle.ts";

/** Counts the requests of a client address to each path, and reports how many are left. */
export function limitRequests({
  throttle,
  path,
}: {
  throttle: Pick<Throttle, "request">;
  path: string;
}): RequestHandler {
  return async (req, res, next) => {
    const state = await throttle.request({ path, address: req.ip });
    res.set(rateLimitHeaders(state));
    if (state.isAllowed) {
      next();
      return;
    }
    refuseTooMany(req, res, state);
  };
}

/** An unfinished sign-in is kept for an hour. An authorize request that does not begin a sign-in is not counted. */
export function limitInteractions({ throttle }: { throttle: Pick<Throttle, "interaction"> }): RequestHandler {
  return async (req, res, next) => {
    const { state, giveBack } = await throttle.interaction({ address: req.ip });
    if (!state.isAllowed) {
      await giveBack();
      res.set(rateLimitHeaders(state));
      refuseTooMany(req, res, state);
      return;
    }
    res.once("close", () => {
      const location = res.getHeader("Location");
      if (typeof location !== "string" || !location.startsWith("/interaction/")) {
        void giveBack();
      }
    });
    next();
  };
}
