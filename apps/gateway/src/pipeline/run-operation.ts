import { Problem, type OperationPolicy } from "@gateway/contract";
import { consoleApplication } from "@gateway/platform/accounts";
import type { Actor, AuditOrigin } from "@gateway/platform/audit";
import type { Need } from "@gateway/platform/compose/elsewhere";
import { together } from "@gateway/platform/compose/lazily";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Request, RequestHandler } from "express";
import type { DeploymentDeps } from "../operations/operation.ts";
import { principalOf, type CallInput, type LongPoll, type Principal } from "./call.ts";
import { answerOnce, type OperationWork } from "./idempotency.ts";
import { respond, successBody, type RespondDeps } from "./respond.ts";
import type { CheckResponse } from "./check-response.ts";
import { waitForMore, type WaitForMoreDeps } from "./wait-for-more.ts";

export type RunOperationDeps = DeploymentDeps &
  WaitForMoreDeps &
  RespondDeps & { platform: Platform; checkResponse: CheckResponse };

/** An operation whose types were checked where the table was built; here all operations are alike. */
export type AnyOperationHandler = ((call: AnyCall & { prepared?: () => unknown }) => Promise<{
  status: number;
  data: unknown;
  meta?: object;
}>) & {
  needs?: (call: AnyCall) => readonly Need[];
  prepare?: (call: AnyCall & { idempotencyKey: string | null }) => Promise<unknown>;
};

type AnyCall = {
  input: CallInput | null;
  principal: unknown;
  clientAddress: string | null;
  deps: Services & DeploymentDeps;
  waiting: LongPoll;
};

/**
 * Performs an operation: idempotency, handler, envelope. Whatever is no GET runs in one transaction with its stored answer, and the answer
 * is checked against the document before the commit. Nothing runs here that the validator did not let through.
 */
export function runOperation(
  operation: OperationPolicy,
  handler: AnyOperationHandler,
  deps: RunOperationDeps,
): RequestHandler {
  const { platform, clock, livemode, authUrl, rateLimiter, dailyLimiter, atEndOfTurn } = deps;
  // The event catalogue is made from x-emits, so nothing else may happen here, whichever noun records it. What the sandbox tells or lets
  // pass is said by the transitions that come of it.
  const emits = operation.sandboxOnly ? null : { by: operation.operationId, types: operation.emits };

  const callOf = (req: Request, services: Services): AnyCall => ({
    input: req.call.input,
    principal: principalOf(req),
    clientAddress: req.ip ?? null,
    deps: together(services, { clock, livemode, authUrl, rateLimiter, dailyLimiter }),
    waiting: waitForMore(req, operation, deps),
  });

  const perform = async (req: Request, services: Services, prepared?: () => unknown): Promise<OperationWork> => {
    const call = callOf(req, services);
    const result = await handler(prepared ? { ...call, prepared } : call).catch((error: unknown) => {
      throw unlessListed(operation, error);
    });
    const body = successBody(req.call, clock, result);
    deps.checkResponse(operation, result.status, body);
    return { status: result.status, body: JSON.stringify(body), holdsSecret: holdsSecret(result.data) };
  };

  return async (req, res) => {
    if (req.call.approvedFor !== operation) {
      throw new Error(`The handler of ${operation.operationId} was reached without the validator's approval.`);
    }
    if (operation.method === "get") {
      respond(req, res, { answer: await perform(req, platform), atEndOfTurn });
      return;
    }
    const prepared = handler.prepare && (await settle(handler.prepare(preparationOf(req, callOf(req, platform)))));
    const answer = await platform.transaction(
      (services) => answerOnce(req, operation, services.accounts.idempotency, () => perform(req, services, prepared)),
      { ...(emits && { emits }), origin: originOf(req), needs: handler.needs?.(callOf(req, platform)) ?? [] },
    );
    respond(req, res, { answer, atEndOfTurn });
  };
}

function preparationOf(req: Request, call: AnyCall): AnyCall & { idempotencyKey: string | null } {
  const key = req.headers["idempotency-key"];
  return { ...call, idempotencyKey: typeof key === "string" ? key : null };
}

/** What went wrong is thrown by whoever asks for what came of it: a repeated request gets its first answer without asking. */
async function settle(work: Promise<unknown>): Promise<() => unknown> {
  const [outcome] = await Promise.allSettled([work]);
  return () => {
    if (outcome.status === "rejected") {
      throw outcome.reason;
    }
    return outcome.value;
  };
}

/** Who is told to have done it, and from where. */
function originOf(req: Request): AuditOrigin {
  return { actor: actorOf(principalOf(req)), clientAddress: req.ip ?? null, requestId: req.call.requestId };
}

function actorOf({ credential }: Principal): Actor {
  if (credential.kind === "apiKey") {
    return { type: "apiKey", id: credential.apiKeyId, applicationId: null };
  }
  // At the console people act themselves.
  const applicationId = credential.applicationId === consoleApplication.id ? null : credential.applicationId;
  return { type: "person", id: credential.personId, applicationId };
}

/** Callers handle the codes that the document lists. Another one is a fault of ours, and its message is for the log alone. */
function unlessListed({ operationId, problems }: OperationPolicy, error: unknown): unknown {
  return error instanceof Problem && !problems.includes(error.code)
    ? new Error(`${operationId} refused with ${error.code}, which its x-problems does not name.`, { cause: error })
    : error;
}

/** What is shown once is called so in every answer of the document. */
function holdsSecret(data: unknown): boolean {
  return typeof data === "object" && data !== null && "secret" in data;
}
