import type { Clock, Logger } from "@gateway/kernel";
import {
  bucketOfAddress,
  createRateLimiter,
  retryAfterSecondsOf,
  type RateLimiter,
  type RateLimitState,
} from "@gateway/limits";
import { digestEmail } from "@gateway/platform/auth";

export type Redis = NonNullable<Parameters<typeof createRateLimiter>[0]["redis"]>;

/** `storeAway`: the attempt cannot be counted at the moment, so it must not happen. */
export type Verdict = Allowed | Refused | { kind: "storeAway" };
/** `isLockout`: the limit of the user or of their known device was reached, not that of the client address. */
type Refused = { kind: "refused"; state: RateLimitState; retryAfterSeconds: number; isLockout: boolean };
type Allowed = {
  kind: "allowed";
  /**
   * The state of the client address or the device. The state of an e-mail address would reveal the attempts of others.
   */
  state: RateLimitState;
  giveBack(): Promise<void>;
};

type Address = { address: string | undefined };

export type Throttle = ReturnType<typeof createThrottle>;

const triesOfEmail = 10;
const triesOfAddress = 50;
const mailsOfEmail = 5;
const mailsOfAddress = 20;
const exportsOfAccount = 5;

export type ThrottleDeps = {
  clock: Clock;
  redis: Redis | null;
  logger: Logger;
  addressLimit: number;
};

/** Limits attempts, whether or not the user, code or address that they name exists. */
export function createThrottle(deps: ThrottleDeps) {
  const limiterOf = (keyPrefix: string, windowSeconds: number): RateLimiter =>
    createRateLimiter({
      clock: deps.clock,
      redis: deps.redis,
      onStoreFailure: (error) => deps.logger.warn({ err: error }, "the store of limits does not answer"),
      windowSeconds,
      keyPrefix,
    });
  const tries = limiterOf("sign-in", 15 * 60);
  const mails = limiterOf("mail", 60 * 60);
  const exports = limiterOf("export", 60 * 60);
  const requests = limiterOf("auth", 60);
  const interactions = limiterOf("interaction", 60 * 60);
  const countTry = (address: string | undefined, device: string | null, user: string): Promise<Verdict> =>
    countAll(
      tries,
      device === null
        ? [
            [bucketOfAddress(address), triesOfAddress],
            [user, triesOfEmail, true],
          ]
        : [[device, triesOfEmail, true]],
    );
  return {
    /**
     * A password: 10 failures in 15 minutes for an e-mail address, 50 for a client address. A `device` known for the
     * address has its own limit of 10, so that the guesses of others do not lock its user out.
     */
    password: ({ email, device, address }: { email: string; device: string | null } & Address): Promise<Verdict> =>
      countTry(address, device === null ? null : `device ${device}`, bucketOfEmail(email)),
    /**
     * A code in addition to the password: limits like those of a password, for the user instead of the e-mail address.
     */
    code: ({ userId, device, address }: { userId: string; device: string | null } & Address): Promise<Verdict> =>
      countTry(address, device === null ? null : `codes of device ${device}`, `codes of ${userId}`),
    /**
     * A passkey: only the client address counts, so that guesses at a user's password do not lock out their passkey.
     */
    passkey: ({ address }: Address): Promise<Verdict> => countAll(tries, [[bucketOfAddress(address), triesOfAddress]]),
    /** Resets the count of an e-mail address whose owner has proved that it is theirs. */
    forgive: (email: string): Promise<void> => tries.forget(bucketOfEmail(email)),
    /** A mail at a visitor's request: 5 in an hour to an address, 20 for a client address. */
    mail: ({ email, address }: { email: string } & Address): Promise<Verdict> =>
      countAll(mails, [
        [bucketOfAddress(address), mailsOfAddress],
        [bucketOfEmail(email), mailsOfEmail],
      ]),
    /** An export of all data of an account: 5 in an hour for the account. */
    export: ({ accountId }: { accountId: string }): Promise<Verdict> =>
      countAll(exports, [[accountId, exportsOfAccount]]),
    /**
     * A request to a page or the protocol: `addressLimit` a minute for each path and client address. While the store is
     * away, each process counts alone.
     */
    request: ({ path, address }: { path: string } & Address): Promise<RateLimitState> =>
      requests.consume(`${path} ${bucketOfAddress(address)}`, deps.addressLimit),
    /** A sign-in that an application begins, which is kept for an hour: half of `addressLimit` an hour. */
    interaction: async ({ address }: Address) => {
      const bucket = bucketOfAddress(address);
      const state = await interactions.consume(bucket, Math.ceil(deps.addressLimit / 2));
      return { state, giveBack: () => interactions.giveBack(bucket) };
    },
  };
}

type Bucket = readonly [name: string, limit: number, isLockout?: boolean];

/** Counts the buckets in order, so that a refused client address does not use up the limit of an e-mail address. */
async function countAll(limiter: RateLimiter, [first, ...others]: readonly [Bucket, ...Bucket[]]): Promise<Verdict> {
  const own = await count(limiter, first);
  if (own.kind !== "allowed") {
    return own;
  }
  for (const bucket of others) {
    const verdict = await count(limiter, bucket);
    if (verdict.kind !== "allowed") {
      return verdict;
    }
  }
  const giveBack = async (): Promise<void> => {
    await Promise.all([first, ...others].map(([name]) => limiter.giveBack(name)));
  };
  return { ...own, giveBack };
}

async function count(limiter: RateLimiter, [bucket, limit, isLockout = false]: Bucket): Promise<Verdict> {
  const state = await limiter.consume(bucket, limit);
  if (state.isStoreAway) {
    return { kind: "storeAway" };
  }
  return state.isAllowed
    ? { kind: "allowed", state, giveBack: () => limiter.giveBack(bucket) }
    : { kind: "refused", state, retryAfterSeconds: retryAfterSecondsOf(state), isLockout };
}

function bucketOfEmail(email: string): string {
  return `email ${digestEmail(email)}`;
}
