import { Problem, type OperationPolicy } from "@gateway/contract";
import type { Request, Response } from "express";
import { unauthenticated } from "../credentials/challenge.ts";
import type { Waiters } from "../waiting/waiters.ts";
import { identify, type AuthenticateDeps } from "./authenticate.ts";
import { sourceOf } from "./call-source.ts";
import { principalOf, type LongPoll } from "./call.ts";
import { requirePermission } from "./require-permission.ts";
import { requirePerson } from "./require-person.ts";

export type WaitForMoreDeps = AuthenticateDeps & { waiters: Pick<Waiters, "until"> };

/** Authorizes the caller again before the response, because a key, a role or an account may be lost within 25 s. */
export function waitForMore(req: Request, operation: OperationPolicy, deps: WaitForMoreDeps): LongPoll {
  return {
    until: async (wait) => {
      const gone = new AbortController();
      req.res?.once("close", () => gone.abort());
      // The event does not come if the caller disconnected while the credential was looked up.
      if (req.res?.closed) {
        gone.abort();
      }
      return deps.waiters.until({
        ...wait,
        accountId: principalOf(req).accountId,
        from: sourceOf(req),
        recheck: () => recheckCaller(req, operation, deps),
        signal: gone.signal,
        onWaited: (durationMs) => {
          req.call.waitedMs += durationMs;
        },
      });
    },
  };
}

/** `isOther`: the permission has changed with the role of the person or the scopes of the application. */
async function recheckCaller(
  req: Request,
  operation: OperationPolicy,
  deps: AuthenticateDeps,
): Promise<{ isOther: boolean }> {
  const { accountId, permission } = principalOf(req);
  const outcome = await identify(req, deps);
  if (outcome instanceof Problem) {
    throw outcome;
  }
  if ("refusal" in outcome) {
    throw outcome.refusal;
  }
  if (outcome.accountId !== accountId) {
    throw unauthenticated("The credential belongs to another account now.");
  }
  req.call.principal = outcome;
  for (const stage of [...(operation.personRequired ? [requirePerson] : []), requirePermission(operation)]) {
    // Express gives each request its response.
    void stage(req, req.res as Response, () => {});
  }
  return { isOther: outcome.permission !== permission };
}
