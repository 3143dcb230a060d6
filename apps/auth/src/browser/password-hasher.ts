import * as argon2 from "@node-rs/argon2";

/** Too many passwords are being checked at once. The caller responds with 503. */
export class TooBusy extends Error {
  override name = "TooBusy";
}

/** Rejects with TooBusy when too many wait already. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** With null, for a user that does not exist, it takes as long and returns false. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
  /** Whether the hash was made with parameters other than the current ones. */
  isOutdated(passwordHash: string): boolean;
}

/** `memoryCost` is in KiB. */
export type PasswordCost = Record<"memoryCost" | "timeCost" | "parallelism", number>;

/** argon2id, 19 MiB, two passes, one lane: what OWASP recommends; about 45 ms of a core. */
const today: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Enough for two cores. More would slow down all of them, and each needs 19 MiB. */
const maxAtOnce = 2;
/** The last of them waits less than a second and a half. */
const maxWaiting = 32;

/** Hashes passwords in NFKC, so that another keyboard types the same password (NIST SP 800-63B, 5.1.1.2). */
export function createPasswordHasher({
  hash = argon2.hash,
  verify = argon2.verify,
  cost = today,
}: Partial<Pick<typeof argon2, "hash" | "verify">> & { cost?: PasswordCost } = {}): PasswordHasher {
  const nobodysHash = hashOfNobody(cost);
  const inTurn = createTurns({ maxAtOnce, maxWaiting });
  return {
    hash: (password) => inTurn(() => hash(password.normalize("NFKC"), cost)),
    verify: async (passwordHash, password) => {
      const isRight = await inTurn(() => verify(passwordHash ?? nobodysHash, password.normalize("NFKC")));
      return isRight && passwordHash !== null;
    },
    isOutdated: (passwordHash) => {
      const { memoryCost, timeCost, parallelism } = argon2.parseOptions(passwordHash);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
    },
  };
}

/** A hash with the given cost that no password matches: its salt and its value are zeros. */
function hashOfNobody({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;
}

/** Runs at most `maxAtOnce` at once and queues up to `maxWaiting`, in order. Rejects with TooBusy beyond that. */
export function createTurns(limits: {
  maxAtOnce: number;
  maxWaiting: number;
}): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limits.maxAtOnce) {
      if (waiting.length >= limits.maxWaiting) {
        throw new TooBusy();
      }
      // A finished task hands its turn to the next one, so `running` stays the same.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        running -= 1;
      }
    }
  };
}
