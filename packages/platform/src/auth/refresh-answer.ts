import { deleteOldest } from "@gateway/database";
import { createCipher, type Cipher, type Clock } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { createHash, hkdfSync } from "node:crypto";
import type { AuthTables } from "./tables.ts";

/** A client whose connection broke repeats its request at once. Longer gives a thief time. */
const keptMs = 30_000;

export type SentToken = { refreshToken: string; clientId: string };

/** The response to the application, byte for byte. */
export type RefreshAnswer = { body: string };

/**
 * Each is sealed under a key from the refresh token alone (HKDF, RFC 5869), so the database and our keys cannot open
 * it.
 */
export function createRefreshAnswers(db: Kysely<AuthTables>, { clock }: { clock: Clock }) {
  return {
    prune: (limit: number) =>
      deleteOldest(db, { from: "refresh_answers", by: "expires_at", until: new Date(clock.now()), limit }),
  };
}

const context = "refresh answer";

export function rowOfAnswer({ body, ...sent }: SentToken & RefreshAnswer, clock: Clock) {
  return {
    token_hash: createHash("sha256").update(sent.refreshToken).digest(),
    answer: cipherOf(sent).seal(Buffer.from(body), context),
    expires_at: new Date(clock.now() + keptMs),
  };
}

/** Null for an application other than the one that received the response. */
export function openAnswer(sent: SentToken, answer: Buffer): RefreshAnswer | null {
  try {
    return { body: cipherOf(sent).open(answer, context).toString() };
  } catch {
    // Another application has a different key.
    return null;
  }
}

function cipherOf({ refreshToken, clientId }: SentToken): Cipher {
  return createCipher([Buffer.from(hkdfSync("sha256", refreshToken, "", `refresh answer ${clientId}`, 32))]);
}
