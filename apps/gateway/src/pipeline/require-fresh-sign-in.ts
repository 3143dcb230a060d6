import type { Clock } from "@gateway/kernel";
import type { RequestHandler } from "express";
import { insufficientUserAuthentication } from "../credentials/challenge.ts";
import { principalOf } from "./call.ts";

/** x-fresh-sign-in (RFC 9470), as the identity provider counts `max_age`. A token without a time is never fresh. */
export function requireFreshSignIn(maxAgeSeconds: number, { clock }: { clock: Clock }): RequestHandler {
  return (req, _res, next) => {
    const { signedInAtSeconds } = principalOf(req);
    if (signedInAtSeconds === null || Math.floor(clock.now() / 1000) - signedInAtSeconds > maxAgeSeconds) {
      throw insufficientUserAuthentication(maxAgeSeconds);
    }
    next();
  };
}
