import { createCipher, type Cipher, type Clock } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { createHash, hkdfSync } from "node:crypto";
import type { AuthTables } from "./tables.ts";

/**
 * How long a refresh token that was used gets the same answer again: a client whose connection broke repeats its
 * request at once, and tabs that woke together all refresh together. Longer, and a thief has time.
 */
const keptMs = 30_000;

/** A refresh token and the application that sends it. */
export type SentToken = { refreshToken: string; clientId: string };

/** What the application was answered, byte for byte. */
export type RefreshAnswer = { body: string };

/**
 * The answers to refreshes. Each is sealed under a key that comes from the refresh token it was given for (HKDF, RFC
 * 5869) and from nothing else: the database and our own keys together do not open it. They are stored and found by
 * `TokenExchanges`.
 */
export interface RefreshAnswers {
  /** Removes up to `limit` of those that ran out; answers how many. */
  prune(limit: number): Promise<number>;
}

export function createRefreshAnswers(db: Kysely<AuthTables>, { clock }: { clock: Clock }): RefreshAnswers {
  return {
    prune: async (limit) => {
      const { numDeletedRows } = await db
        .deleteFrom("refresh_answers")
        .where("token_hash", "in", (from) =>
          from
            .selectFrom("refresh_answers")
            .select("token_hash")
            .where("expires_at", "<=", new Date(clock.now()))
            .orderBy("expires_at")
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

const context = "refresh answer";

/** As the table holds it. */
export function rowOfAnswer({ body, ...sent }: SentToken & RefreshAnswer, clock: Clock) {
  return {
    token_hash: createHash("sha256").update(sent.refreshToken).digest(),
    answer: cipherOf(sent).seal(Buffer.from(body), context),
    expires_at: new Date(clock.now() + keptMs),
  };
}

/** Null for another application than the one that was answered. */
export function openAnswer(sent: SentToken, answer: Buffer): RefreshAnswer | null {
  try {
    return { body: cipherOf(sent).open(answer, context).toString() };
  } catch {
    // Another application's key is another one.
    return null;
  }
}

function cipherOf({ refreshToken, clientId }: SentToken): Cipher {
  return createCipher([Buffer.from(hkdfSync("sha256", refreshToken, "", `refresh answer ${clientId}`, 32))]);
}
