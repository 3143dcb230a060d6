import type { Clock } from "@gateway/kernel";
import {
  findUrlProblem,
  type AttemptResult,
  type DueDelivery,
  type EgressRules,
  type FinishedAttempt,
} from "@gateway/platform";
import { signatureHeaderName } from "@gateway/webhooks";
import type { OriginPools } from "./origin-pools.ts";
import { post } from "./post.ts";
import type { Signer } from "./signer.ts";

export type DeliverDeps = {
  pools: OriginPools;
  sign: Signer;
  clock: Clock;
  egress: EgressRules & {
    /** For measurements on one machine: `http:` is sent to as well. No setting leads here. */
    allowsPlainHttp?: boolean;
  };
};

export const attemptTimeoutMs = 5_000;

export type SentAttempt = FinishedAttempt & { startedAtMs: number };

/**
 * One attempt: a POST of the event's bytes, signed now. A receiver's fault is a result; rejects only when the secret cannot be
 * decrypted, so that nothing could be signed and the delivery is as it was.
 */
export async function deliver(delivery: DueDelivery, deps: DeliverDeps): Promise<SentAttempt> {
  const startedAtMs = deps.clock.now();
  const startedAt = performance.now();
  const body = Buffer.from(delivery.body);
  const signature = await deps.sign(delivery, body, startedAtMs);
  const result = await send({ url: delivery.url, body, signature }, deps);
  const endedAt = performance.now();
  return { ...result, delivery, startedAtMs, endedAt, durationMs: endedAt - startedAt };
}

async function send(
  { url, body, signature }: { url: string; body: Buffer; signature: string },
  { pools, egress }: DeliverDeps,
): Promise<AttemptResult> {
  const judged = egress.allowsPlainHttp ? url.replace(/^http:/, "https:") : url;
  if (findUrlProblem(judged, egress) !== null) {
    return { outcome: "blocked", httpStatus: null, responseStart: null };
  }
  const { origin, pathname, search } = new URL(url);
  return pools.use(origin, (pool) =>
    post(pool, {
      path: pathname + search,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Gateway-Webhooks/1",
        [signatureHeaderName]: signature,
      },
      body,
      timeoutMs: attemptTimeoutMs,
    }),
  );
}
