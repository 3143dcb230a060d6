import { type OperationPolicy, Problem } from "@gateway/contract";
import { isLockTimeout } from "@gateway/database";
import type { IdempotencyRecords, StoredAnswer } from "@gateway/platform";
import type { Request } from "express";
import { createHash } from "node:crypto";
import { principalOf } from "./call.ts";

export type OperationAnswer = { status: number; body: string | Buffer; headers?: Readonly<Record<string, string>> };

/**
 * Stage 10. With an Idempotency-Key, `work` runs once in 24 hours for its account and key; later calls get the first answer's
 * bytes again. Twins that arrive together wait for the first. Only answers of success are kept: a refusal rolls everything
 * back, so the same key may try again. Runs inside the transaction of the effect.
 */
export async function answerOnce(
  req: Request,
  operation: OperationPolicy,
  records: IdempotencyRecords,
  work: () => Promise<OperationAnswer>,
): Promise<OperationAnswer> {
  const key = req.headers["idempotency-key"];
  if (!operation.idempotencyKey || typeof key !== "string") {
    return work();
  }
  const { accountId } = principalOf(req);
  const fingerprint = fingerprintOf(req);
  const stored = await claim(records, accountId, key);
  if (stored) {
    return replayAnswer(stored, operation, fingerprint);
  }
  const answer = await work();
  await records.store({
    accountId,
    key,
    operationId: operation.operationId,
    fingerprint,
    status: answer.status,
    body: Buffer.from(answer.body),
  });
  return answer;
}

async function claim(records: IdempotencyRecords, accountId: string, key: string): Promise<StoredAnswer | null> {
  try {
    return await records.claim({ accountId, key });
  } catch (error) {
    if (isLockTimeout(error)) {
      throw new Problem(
        "IDEMPOTENCY_IN_PROGRESS",
        "The first request with this Idempotency-Key still runs. Ask again in a moment.",
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}

function replayAnswer(stored: StoredAnswer, operation: OperationPolicy, fingerprint: Buffer): OperationAnswer {
  if (stored.operationId !== operation.operationId || !stored.fingerprint.equals(fingerprint)) {
    throw new Problem(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key was used for another request. Use a new key for each new request.",
    );
  }
  return { status: stored.status, body: stored.body, headers: { "Idempotency-Replayed": "true" } };
}

/** SHA-256 of target and body bytes: the operation alone would not tell two keys of one path apart. */
function fingerprintOf(req: Request): Buffer {
  return createHash("sha256")
    .update(req.originalUrl)
    .update("\n")
    .update(req.call.rawBody ?? "")
    .digest();
}
