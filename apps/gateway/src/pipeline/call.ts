import type { OperationPolicy, Problem } from "@gateway/contract";
import type { RateLimitState } from "@gateway/limits";
import type { Permission } from "@gateway/platform/accounts";
import type { Request } from "express";
import type { Cohort } from "../request-log/open-requests.ts";
import type { Wait } from "../waiting/waiters.ts";

/** `permission` null: the credential says who somebody is, and no more. `requestsPerMinute`: of the whole account. */
export type Principal = {
  accountId: string;
  permission: Permission | null;
  requestsPerMinute: number;
  /** Whole seconds since the Unix epoch; null of a key, and where nobody knows. */
  signedInAtSeconds: number | null;
  /** Of the pages that may carry the credential; null for one that no page may. */
  origins: readonly string[] | null;
  credential: PrincipalCredential;
};

/** Names only: they are logged. */
export type PrincipalCredential =
  | { kind: "apiKey"; apiKeyId: string }
  | { kind: "accessToken"; grantId: string; userId: string; personId: string; applicationId: string };

/** Whose a credential is, whatever it is worth now. */
export type CredentialHolder = Pick<Principal, "accountId" | "credential">;

/** What an operation waits with, for the account of its caller. */
export type LongPoll = {
  until<Page>(wait: Pick<Wait<Page>, "channel" | "seconds" | "read" | "isEnough">): Promise<Page>;
};

/** Path, query and body as the document describes them: values converted, defaults filled in. */
export type CallInput = {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
};

/**
 * Refusals that one stage finds and a later one throws. `limit-rate`: malformed requests are counted first.
 * `require-credential`: an unknown path is 404 for everyone, so the path decides before the credential.
 */
export type NotedRefusals = { "limit-rate": Problem | null; "require-credential": Problem | null };

export type Call = {
  requestId: string;
  startedAtMs: number;
  /** Of the time since then, what it only waited for something to happen, as its caller asked. */
  waitedMs: number;
  /** Those that came with it, among which the request log counts it while it is under way. */
  cohort: Cohort | null;
  noted: NotedRefusals;
  principal: Principal | null;
  /** Whose credential it is that is refused, where that is known: a revoked key is still somebody's. */
  refusedHolder: CredentialHolder | null;
  rateLimit: RateLimitState | null;
  operation: OperationPolicy | null;
  /** The operation whose validator let this request through: a handler runs for no other. */
  approvedFor: OperationPolicy | null;
  /** As it came, for the fingerprint, and parsed, for the validator. Null when there is none. */
  body: { bytes: Buffer; json: unknown } | null;
  /** What the validator approved; null until then. Operations read nothing else of the request. */
  input: CallInput | null;
  /** The problem that was answered, for the log and the metrics. */
  problem: Problem | null;
  /** What was answered; null until then. */
  answer: { bytes: number; isReplayed: boolean } | null;
};

declare global {
  // Express offers this namespace for additions to its request.
  namespace Express {
    interface Request {
      call: Call;
    }
  }
}

/** The one way in which a noted refusal is thrown. */
export function throwNoted({ call }: Pick<Request, "call">, stage: keyof NotedRefusals): void {
  const problem = call.noted[stage];
  if (problem) {
    throw problem;
  }
}

/** The principal of a request that `requireCredential` let through. */
export function principalOf(req: Request): Principal {
  if (!req.call.principal) {
    throw new Error("A stage that needs a principal ran before requireCredential.");
  }
  return req.call.principal;
}
