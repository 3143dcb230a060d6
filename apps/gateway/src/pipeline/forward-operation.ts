import { Problem, type OperationPolicy, type ProblemCode, type ProblemDetail } from "@gateway/contract";
import {
  isObject,
  readJson,
  upstreamInvalidAnswer,
  upstreamUnavailable,
  type ForwardedPrincipal,
  type Upstream,
  type UpstreamAnswer,
} from "@gateway/forwarding";
import type { Clock } from "@gateway/kernel";
import type { Request, RequestHandler } from "express";
import { principalOf, type Principal } from "./call.ts";
import type { CheckResponse } from "./check-response.ts";
import { forwardOnce, type ForwardOnceDeps } from "./forward-once.ts";
import { idempotencyKeyOf, type OperationAnswer } from "./idempotency.ts";
import { respond, successBody, type RespondDeps } from "./respond.ts";

export type ForwardOperationDeps = ForwardOnceDeps &
  RespondDeps & {
    clock: Clock;
    livemode: boolean;
    /** Throws at each response that does not fit the document, in production too. */
    holdAnswer: CheckResponse;
  };

/** The counterpart of `runOperation` for an upstream. No database connection is held during the wait. */
export function forwardOperation(
  operation: OperationPolicy,
  upstream: Upstream,
  deps: ForwardOperationDeps,
): RequestHandler {
  const ask = async (req: Request): Promise<OperationAnswer> => {
    const answer = await upstream.send({
      // The methods are ASCII, so they change as the type `Uppercase` says.
      method: operation.method.toUpperCase() as Uppercase<typeof operation.method>,
      target: req.originalUrl,
      requestId: req.call.requestId,
      body: req.call.body?.bytes ?? null,
      idempotencyKey: idempotencyKeyOf(req, operation),
      principal: forwardedOf(principalOf(req)),
    });
    return answerOf(req, operation, { answer, ...deps });
  };
  return async (req, res) => {
    if (req.call.approvedFor !== operation) {
      throw new Error(`${operation.operationId} was to be forwarded without the validator's approval.`);
    }
    const leaseMs = upstream.timeoutMs + 5_000;
    const answer = await forwardOnce({ req, operation, leaseMs }, deps, () => ask(req));
    respond(req, res, { answer, ...deps });
  };
}

/** Ids without secrets: the same facts that one of our own services would receive. */
function forwardedOf({ accountId, permission, credential }: Principal): ForwardedPrincipal {
  if (credential.kind === "apiKey") {
    return { accountId, permission, credential: { kind: "apiKey", apiKeyId: credential.apiKeyId } };
  }
  const { grantId, personId, applicationId } = credential;
  return { accountId, permission, credential: { kind: "accessToken", grantId, personId, applicationId } };
}

type Answered = Pick<ForwardOperationDeps, "clock" | "holdAnswer"> & { answer: UpstreamAnswer };

function answerOf(req: Request, operation: OperationPolicy, { answer, clock, holdAnswer }: Answered): OperationAnswer {
  const { status } = answer;
  if (status === 429) {
    // The upstream's own limit. The account's was counted here.
    throw upstreamUnavailable(new Error("The upstream answered 429."));
  }
  const json = readJson(answer);
  if (status !== operation.success) {
    throw refusalOf(operation, status, json);
  }
  const { data, meta, ...others } = json;
  if (!isObject(meta) || Object.keys(others).length > 0) {
    throw upstreamInvalidAnswer(
      `A response ${status} of ${operation.operationId} has members other than data and meta.`,
    );
  }
  const { requestId: _theirs, timestamp: _its, ...ofList } = meta;
  const body = successBody(req.call, clock, { data, meta: ofList });
  hold(() => holdAnswer(operation, status, body));
  return { status, body: JSON.stringify(body) };
}

/** Problems that the gateway decides before it forwards. An upstream that sends one of them is at fault. */
const ofTheEdge: readonly ProblemCode[] = [
  ...(["UNAUTHENTICATED", "FRESH_SIGN_IN_REQUIRED", "FORBIDDEN", "ACCOUNT_SUSPENDED", "PERSON_REQUIRED"] as const),
  ...(["METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "HEADERS_TOO_LARGE"] as const),
];

/** A refusal that the document lists. Any other failure is a fault of the upstream. */
function refusalOf(operation: OperationPolicy, status: number, { error }: Record<string, unknown>): Problem {
  const found = isObject(error) ? readProblem(error) : null;
  const code = operation.problems.find((one) => one === found?.code && !ofTheEdge.includes(one));
  if (!found || !code) {
    return upstreamInvalidAnswer(`The document does not let ${operation.operationId} answer ${status} so.`);
  }
  const problem = new Problem(code, found.message, { details: found.details });
  return problem.status === status
    ? problem
    : upstreamInvalidAnswer(`${operation.operationId} answered ${code} with ${status}.`);
}

const maxDetails = 100;
const maxText = 2_000;

function readProblem(error: Record<string, unknown>) {
  const { code, message, details = [] } = error;
  return isText(message) && Array.isArray(details) && details.length <= maxDetails && details.every(isDetail)
    ? { code, message, details }
    : null;
}

function isDetail(value: unknown): value is ProblemDetail {
  return isObject(value) && isText(value["field"]) && isText(value["issue"]) && Object.keys(value).length === 2;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxText;
}

function hold(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw upstreamInvalidAnswer("The response does not fit the document", error);
  }
}
