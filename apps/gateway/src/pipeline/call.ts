import type { OperationPolicy, Problem } from "@gateway/contract";
import type { RateLimitState } from "@gateway/limits";
import type { Permission } from "@gateway/platform/accounts";
import type { Request } from "express";
import type { Cohort } from "../request-log/open-requests.ts";
import type { Wait } from "../waiting/waiters.ts";

/** `permission` null: the credential only identifies its user. `requestsPerMinute`: the limit of the whole account. */
export type Principal = {
  accountId: string;
  permission: Permission | null;
  requestsPerMinute: number;
  /** Whole seconds since the Unix epoch; null for a key, and when the time is unknown. */
  signedInAtSeconds: number | null;
  /** Origins of the pages that may carry the credential; null when no page may. */
  origins: readonly string[] | null;
  credential: PrincipalCredential;
};

/** Ids only, because they are logged. */
export type PrincipalCredential =
  | { kind: "apiKey"; apiKeyId: string }
  | { kind: "accessToken"; grantId: string; userId: string; personId: string; applicationId: string };

/** The holder of a credential, even of one that is refused now. */
export type CredentialHolder = Pick<Principal, "accountId" | "credential">;

/** The principal of a credential, or the refusal of the credential, with its holder when the holder is known. */
export type Identification = Principal | Problem | { refusal: Problem; holder: CredentialHolder };

/** Long polling of an operation, for the account of its caller. */
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
  /** The part of the time since then in which the request only waited for an event, as its caller requested. */
  waitedMs: number;
  /** Requests that arrived together with it. The request log counts it among them while it is in flight. */
  cohort: Cohort | null;
  noted: NotedRefusals;
  principal: Principal | null;
  /** The holder of a refused credential, when known: a revoked key still belongs to an account. */
  refusedHolder: CredentialHolder | null;
  rateLimit: RateLimitState | null;
  operation: OperationPolicy | null;
  /** The operation whose validator approved this request. No other handler may run. */
  approvedFor: OperationPolicy | null;
  /** The bytes as received, for the fingerprint, and parsed, for the validator. Null when there is none. */
  body: { bytes: Buffer; json: unknown } | null;
  /** Input that the validator approved; null until then. Operations read nothing else of the request. */
  input: CallInput | null;
  /** The problem that the caller received, for the log and the metrics. */
  problem: Problem | null;
  /** The response that was sent; null until then. */
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

/** Throws a refusal that an earlier stage noted. */
export function throwNoted({ call }: Pick<Request, "call">, stage: keyof NotedRefusals): void {
  const problem = call.noted[stage];
  if (problem) {
    throw problem;
  }
}

/** The principal of a request that passed `requireCredential`. */
export function principalOf(req: Request): Principal {
  if (!req.call.principal) {
    throw new Error("A stage that needs a principal ran before requireCredential.");
  }
  return req.call.principal;
}
