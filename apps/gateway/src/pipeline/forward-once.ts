import { Problem, type OperationPolicy } from "@gateway/contract";
import type { IdempotencyClaims, StoredAnswer } from "@gateway/platform/accounts";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Request } from "express";
import type { GatewayObserver } from "../observer.ts";
import { principalOf } from "./call.ts";
import {
  claim,
  fingerprintOf,
  idempotencyKeyOf,
  inProgress,
  keyReused,
  replayAnswer,
  type OperationAnswer,
} from "./idempotency.ts";

export type ForwardOnceDeps = { platform: Platform; observer: Pick<GatewayObserver, "answerNotStored"> };

type Forwarded = { req: Request; operation: OperationPolicy; leaseMs: number };

/**
 * The counterpart of `answerOnce` for an upstream. The key is claimed by a committed, leased row: of concurrent
 * requests one is forwarded, and the others are refused. An unknown outcome (502, 504, our own 503) frees the key for
 * the same request, which reaches the upstream with the same derived key. The end of the lease frees it too.
 */
export async function forwardOnce(
  { req, operation, leaseMs }: Forwarded,
  { platform, observer }: ForwardOnceDeps,
  work: () => Promise<OperationAnswer>,
): Promise<OperationAnswer> {
  const key = idempotencyKeyOf(req, operation);
  if (key === null) {
    return work();
  }
  const { accountId, credential } = principalOf(req);
  const held = { accountId, key, holder: req.call.requestId };
  const request = {
    operationId: operation.operationId,
    fingerprint: fingerprintOf(req, operation.personRequired ? credential : undefined),
  };
  const stored = await platform.transaction((services) => takeKey(services, { ...held, ...request, leaseMs }));
  if (stored) {
    return replayAnswer(stored, operation, [request.fingerprint]);
  }
  const { idempotencyClaims } = platform.accounts;
  const answer = await work().catch(async (error: unknown) => {
    await letGo(idempotencyClaims, held, error);
    throw error;
  });
  try {
    await idempotencyClaims.answer({ ...held, ...request, status: answer.status, body: Buffer.from(answer.body) });
  } catch (error) {
    // The upstream has done the work, and will not repeat it, because it knows the key. So the caller gets its response
    // although the database is unavailable.
    observer.answerNotStored(operation.operationId, error);
  }
  return answer;
}

type Held = { accountId: string; key: string; holder: string };

/** The response of the first request with the key, or null when this request has claimed the key. */
async function takeKey(
  { accounts }: Services,
  claimed: Held & { operationId: string; fingerprint: Buffer; leaseMs: number },
): Promise<StoredAnswer | null> {
  const { accountId, key } = claimed;
  const answer = await claim(accounts.idempotency, accountId, key);
  const outcome = answer === null ? await accounts.idempotencyClaims.take(claimed) : "answered";
  if (outcome === "running") {
    throw inProgress();
  }
  if (outcome === "reused") {
    throw keyReused();
  }
  return outcome === "taken" ? null : (answer ?? claim(accounts.idempotency, accountId, key));
}

/** When this fails too, the lease ends by itself, and the caller still gets the upstream's outcome. */
async function letGo(claims: IdempotencyClaims, held: Held, error: unknown): Promise<void> {
  const isRefused = error instanceof Problem && error.status < 500 && error.code !== "IDEMPOTENCY_IN_PROGRESS";
  try {
    await (isRefused ? claims.end(held) : claims.free(held));
  } catch {
    // See above.
  }
}
