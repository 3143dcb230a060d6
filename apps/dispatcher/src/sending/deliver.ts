import type { Clock } from "@gateway/kernel";
import type { AttemptResult, DueDelivery, FinishedAttempt } from "@gateway/platform/events";
import { signatureHeaderName } from "@gateway/webhooks";
import type { OriginPools } from "./origin-pools.ts";
import { post } from "./post.ts";
import type { Signer } from "./signer.ts";
import type { Target } from "./find-target.ts";

export type DeliverDeps = {
  pools: OriginPools;
  sign: Signer;
  clock: Clock;
  timeoutMs: number;
  findTarget(url: string): Target | null;
};

export const attemptTimeoutMs = 5_000;

export type SentAttempt = FinishedAttempt & { startedAtMs: number };

/** A POST of the event's bytes, signed now. Rejects only when nothing could be signed. */
export async function deliver(delivery: DueDelivery, deps: DeliverDeps): Promise<SentAttempt> {
  const startedAtMs = deps.clock.now();
  const startedAt = performance.now();
  const body = Buffer.from(delivery.body);
  const signature = await deps.sign(delivery, body, startedAtMs);
  const target = deps.findTarget(delivery.url);
  const { outcome, httpStatus, responseStart } = target
    ? await send({ target, body, signature, requestId: delivery.requestId }, deps)
    : blocked;
  const endedAt = performance.now();
  const durationMs = endedAt - startedAt;
  return { outcome, httpStatus, responseStart, delivery, startedAtMs, endedAt, durationMs };
}

const blocked: AttemptResult = { outcome: "blocked", httpStatus: null, responseStart: null };

function send(
  {
    target: { origin, path },
    body,
    signature,
    requestId,
  }: { target: Target; body: Buffer; signature: string; requestId: string | null },
  { pools, timeoutMs }: DeliverDeps,
): Promise<AttemptResult> {
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Gateway-Webhooks/1",
    [signatureHeaderName]: signature,
    ...(requestId !== null && { "X-Request-Id": requestId }),
  };
  return pools.use(origin, (pool, openFresh) => post(pool, openFresh, { path, headers, body, timeoutMs }));
}
