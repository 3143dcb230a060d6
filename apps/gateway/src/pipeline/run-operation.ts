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
import { answerOnce, idempotencyKeyOf, type OperationWork } from "./idempotency.ts";
import { respond, successBody, type RespondDeps } from "./respond.ts";
import type { CheckResponse } from "./check-response.ts";
import { waitForMore, type WaitForMoreDeps } from "./wait-for-more.ts";

export type RunOperationDeps = DeploymentDeps &
  WaitForMoreDeps &
  RespondDeps & { platform: Platform; checkResponse: CheckResponse };

/** A handler of any operation. Its types were checked where the table was built. */
export type AnyOperationHandler = ((call: AnyCall) => Promise<{
  status: number;
  data: unknown;
  meta?: object;
}>) & {
  needs?: (call: AnyCall) => readonly Need[];
  movesClock?: boolean;
};

type AnyCall = {
  input: CallInput | null;
  principal: unknown;
  requestKey: string;
  clientAddress: string | null;
  deps: Services & DeploymentDeps;
  waiting: LongPoll;
};

/** Every operation but a GET runs in one transaction with its stored response, which is checked before the commit. */
export function runOperation(
  operation: OperationPolicy,
  handler: AnyOperationHandler,
  deps: RunOperationDeps,
): RequestHandler {
  const { platform, clock, livemode, authUrl, rateLimiter, dailyLimiter, atEndOfTurn } = deps;
  // The event catalogue is generated from x-emits, so an operation may record no other event, whichever noun records
  // it. The events of a sandbox operation are those of the transitions that it causes.
  const emits = operation.sandboxOnly ? null : { by: operation.operationId, types: operation.emits };

  const callOf = (req: Request, services: Services): AnyCall => ({
    input: req.call.input,
    principal: principalOf(req),
    requestKey: idempotencyKeyOf(req, operation) ?? req.call.requestId,
    clientAddress: req.ip ?? null,
    deps: together(services, { clock, livemode, authUrl, rateLimiter, dailyLimiter }),
    waiting: waitForMore(req, operation, deps),
  });

  const perform = async (req: Request, services: Services): Promise<OperationWork> => {
    const result = await handler(callOf(req, services)).catch((error: unknown) => {
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
    const needs = handler.needs?.(callOf(req, platform)) ?? [];
    const answer = await platform.inAccount(
      principalOf(req).accountId,
      (services) => answerOnce(req, operation, services.accounts.idempotency, () => perform(req, services)),
      { ...(emits && { emits }), origin: originOf(req), needs, isAlone: handler.movesClock ?? false },
    );
    respond(req, res, { answer, atEndOfTurn });
  };
}

/** The audit's actor and the address of the request. */
function originOf(req: Request): AuditOrigin {
  return { actor: actorOf(principalOf(req)), clientAddress: req.ip ?? null, requestId: req.call.requestId };
}

function actorOf({ credential }: Principal): Actor {
  if (credential.kind === "apiKey") {
    return { type: "apiKey", id: credential.apiKeyId, applicationId: null };
  }
  // A person in the console acts directly, not through an application.
  const applicationId = credential.applicationId === consoleApplication.id ? null : credential.applicationId;
  return { type: "person", id: credential.personId, applicationId };
}

/** A code that the document does not list is a fault of the gateway, and its message is for the log alone. */
function unlessListed({ operationId, problems }: OperationPolicy, error: unknown): unknown {
  return error instanceof Problem && !problems.includes(error.code)
    ? new Error(`${operationId} refused with ${error.code}, which its x-problems does not name.`, { cause: error })
    : error;
}

/** A value that is shown once is named `secret` in every response of the document. */
function holdsSecret(data: unknown): boolean {
  return typeof data === "object" && data !== null && "secret" in data;
}
