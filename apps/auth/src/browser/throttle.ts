import type { Clock, Logger } from "@gateway/kernel";
import { bucketOfAddress, createRateLimiter, type RateLimiter } from "@gateway/limits";
import { foldEmail } from "@gateway/platform";
import { createHash } from "node:crypto";

export type Redis = NonNullable<Parameters<typeof createRateLimiter>[0]["redis"]>;

/** `storeAway`: it cannot be counted right now, so it must not happen. */
export type Verdict = { kind: "allowed" } | { kind: "refused"; retryAfterSeconds: number } | { kind: "storeAway" };

/** How often somebody may try, whether or not what they try exists. */
export interface Throttle {
  /** A password: 10 in 15 minutes for an e-mail address, 50 for a client address. */
  password(input: { email: string; address: string | undefined }): Promise<Verdict>;
  /** A passkey: only the client address counts, so that nobody is locked out by guesses at their password. */
  passkey(input: { address: string | undefined }): Promise<Verdict>;
  /** A mail that somebody asks us to send: 5 in an hour to an address, 20 for a client address. */
  mail(input: { email: string; address: string | undefined }): Promise<Verdict>;
}

const triesOfEmail = 10;
const triesOfAddress = 50;
const mailsOfEmail = 5;
const mailsOfAddress = 20;

export function createThrottle(deps: { clock: Clock; redis: Redis | null; logger: Logger }): Throttle {
  const options = {
    clock: deps.clock,
    redis: deps.redis,
    onStoreFailure: (error: unknown) => deps.logger.warn({ err: error }, "the store of sign-in limits does not answer"),
  };
  const tries = createRateLimiter({ ...options, windowSeconds: 15 * 60, keyPrefix: "sign-in" });
  const mails = createRateLimiter({ ...options, windowSeconds: 60 * 60, keyPrefix: "mail" });
  return {
    password: ({ email, address }) =>
      countAll(tries, [
        [bucketOfAddress(address), triesOfAddress],
        [bucketOfEmail(email), triesOfEmail],
      ]),
    passkey: ({ address }) => countAll(tries, [[bucketOfAddress(address), triesOfAddress]]),
    mail: ({ email, address }) =>
      countAll(mails, [
        [bucketOfAddress(address), mailsOfAddress],
        [bucketOfEmail(email), mailsOfEmail],
      ]),
  };
}

/** One after the other: whoever is refused for their client address does not use up what is left of another's e-mail address. */
async function countAll(
  limiter: RateLimiter,
  buckets: readonly (readonly [bucket: string, limit: number])[],
): Promise<Verdict> {
  for (const [bucket, limit] of buckets) {
    const state = await limiter.consume(bucket, limit);
    if (state.isStoreAway) {
      return { kind: "storeAway" };
    }
    if (!state.isAllowed) {
      return { kind: "refused", retryAfterSeconds: Math.max(1, Math.ceil(state.resetsInMs / 1000)) };
    }
  }
  return { kind: "allowed" };
}

/** Addresses are nobody's business in the store. */
function bucketOfEmail(email: string): string {
  return `email ${createHash("sha256").update(foldEmail(email)).digest("base64url")}`;
}
