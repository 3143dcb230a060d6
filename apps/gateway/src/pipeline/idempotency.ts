import { type OperationPolicy, Problem } from "@gateway/contract";
import { isLockTimeout } from "@gateway/database";
import type { IdempotencyRecords, StoredAnswer } from "@gateway/platform/accounts";
import type { Request } from "express";
import { createHash } from "node:crypto";
import { principalOf, type PrincipalCredential } from "./call.ts";

export type OperationAnswer = { status: number; body: string | Buffer; headers?: Readonly<Record<string, string>> };
/** `holdsSecret`: only the credential that asked may get the response, not others with the same permission. */
export type OperationWork = OperationAnswer & { holdsSecret: boolean };

/**
 * With an Idempotency-Key, `work` runs once in 24 hours for its account and key, and duplicates wait for the first. A
 * response that holds a secret, or that belongs to an operation for people, goes only to the credential that made it. A
 * refusal rolls everything back, so the same key may try again. Runs inside the transaction of the effect.
 */
export async function answerOnce(
  req: Request,
  operation: OperationPolicy,
  records: IdempotencyRecords,
  work: () => Promise<OperationWork>,
): Promise<OperationAnswer> {
  const key = idempotencyKeyOf(req, operation);
  if (key === null) {
    return work();
  }
  const { accountId, credential } = principalOf(req);
  const stored = await claim(records, accountId, key);
  if (stored) {
    const own = fingerprintOf(req, credential);
    return replayAnswer(stored, operation, operation.personRequired ? [own] : [fingerprintOf(req), own]);
  }
  const { holdsSecret, ...answer } = await work();
  await records.store({
    accountId,
    key,
    operationId: operation.operationId,
    fingerprint: fingerprintOf(req, holdsSecret || operation.personRequired ? credential : undefined),
    status: answer.status,
    body: Buffer.from(answer.body),
  });
  return answer;
}

/** Null: the operation accepts no key, or the request has none. */
export function idempotencyKeyOf(req: Request, operation: OperationPolicy): string | null {
  const key = req.headers["idempotency-key"];
  return operation.idempotencyKey && typeof key === "string" ? key : null;
}

export async function claim(records: IdempotencyRecords, accountId: string, key: string): Promise<StoredAnswer | null> {
  try {
    return await records.claim({ accountId, key });
  } catch (error) {
    if (isLockTimeout(error)) {
      throw inProgress(error);
    }
    throw error;
  }
}

export function inProgress(cause?: unknown): Problem {
  return new Problem(
    "IDEMPOTENCY_IN_PROGRESS",
    "The first request with this Idempotency-Key is still running. Try again in a moment.",
    { cause },
  );
}

export function keyReused(): Problem {
  return new Problem(
    "IDEMPOTENCY_KEY_REUSED",
    "This Idempotency-Key was used for another request, or by another credential for a response that only that credential may read. Use a new key for each new request.",
  );
}

export function replayAnswer(
  stored: StoredAnswer,
  operation: OperationPolicy,
  fingerprints: readonly Buffer[],
): OperationAnswer {
  const isSame = fingerprints.some((fingerprint) => stored.fingerprint.equals(fingerprint));
  if (stored.operationId !== operation.operationId || !isSame) {
    throw keyReused();
  }
  return { status: stored.status, body: stored.body, headers: { "Idempotency-Replayed": "true" } };
}

/** SHA-256 of the target, the body bytes and the credential that may get the response. */
export function fingerprintOf(req: Request, credential?: PrincipalCredential): Buffer {
  const whole = createHash("sha256")
    .update(req.originalUrl)
    .update("\n")
    .update(req.call.body?.bytes ?? "");
  return credential ? createHash("sha256").update(whole.digest()).update(nameOf(credential)).digest() : whole.digest();
}

function nameOf(credential: PrincipalCredential): string {
  return credential.kind === "apiKey" ? credential.apiKeyId : `grant ${credential.grantId}`;
}
