import { deleteOldest, transaction } from "@gateway/database";
import type { Cipher, Clock } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ConsoleTables } from "./tables.ts";

/** Tokens from the identity provider. Only the console ever sees them. */
export type ConsoleTokens = { accessToken: string; refreshToken: string; expiresAtMs: number };

export type ConsoleSession = {
  userId: string;
  accountId: string;
  grantId: string;
  tokens: ConsoleTokens;
  /** The last proof of the person's presence. */
  signedInAtMs: number;
};

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>;

type RenewInput = { staleAccessToken: string; exchange(tokens: ConsoleTokens): Promise<ConsoleTokens | null> };

export type ConsoleSessionDeps = { clock: Clock; cipher: Pick<Cipher, "seal" | "open"> };

const dayMs = 86_400_000;
/** The same lifetimes as the sessions of the identity provider: 30 days unused, 90 in all. */
const idleMs = 30 * dayMs;
const lifeMs = 90 * dayMs;
/** Limits writes, because otherwise each call would write a row. */
const seenEveryMs = 60_000;
/** Interval between looks at a locked session, and the longest time that an exchange may take. */
const lookAgainMs = 50;
const renewalPatienceMs = 8_000;

const secretPattern = /^[\w-]{43}$/;

export function createConsoleSessions(db: Kysely<ConsoleTables>, deps: ConsoleSessionDeps) {
  return {
    /**
     * Returns the secret; the database stores its hash. Replaces the other sessions of its grant, of the same browser.
     */
    start: (session: ConsoleSession) => startSession(db, deps, session),
    /** Null when it ended, expired or does not exist. Notes that it is in use. */
    find: (secret: string) => findSession(db, deps, secret),
    /**
     * Replaces the tokens with `staleAccessToken` by those of `exchange`, under a lock of the session. Of many
     * concurrent calls one exchanges, and the others get its tokens. When `exchange` resolves with null, the session is
     * removed. When it rejects, nothing was changed.
     */
    renew: (secret: string, renewal: RenewInput) => renew(db, deps, { secret, ...renewal }),
    end: async (secret: string) => {
      const row = await db
        .deleteFrom("console_sessions")
        .where("secret_hash", "=", hashOf(secret))
        .returningAll()
        .executeTakeFirst();
      return row ? openedOf(row, deps) : null;
    },
    prune: (limit: number) =>
      deleteOldest(db, { from: "console_sessions", by: "expires_at", until: new Date(deps.clock.now()), limit }),
  };
}

async function startSession(
  db: Kysely<ConsoleTables>,
  { clock, cipher }: ConsoleSessionDeps,
  { userId, accountId, grantId, tokens, signedInAtMs }: ConsoleSession,
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const secretHash = hashOf(secret);
  const now = new Date(clock.now());
  await transaction(db, async (trx) => {
    await trx.deleteFrom("console_sessions").where("grant_id", "=", grantId).execute();
    await trx
      .insertInto("console_sessions")
      .values({
        secret_hash: secretHash,
        user_id: userId,
        account_id: accountId,
        grant_id: grantId,
        tokens: seal(tokens, secretHash, cipher),
        token_expires_at: new Date(tokens.expiresAtMs),
        signed_in_at: new Date(signedInAtMs),
        created_at: now,
        last_seen_at: now,
        expires_at: new Date(now.getTime() + lifeMs),
      })
      .execute();
  });
  return secret;
}

async function findSession(
  db: Kysely<ConsoleTables>,
  deps: ConsoleSessionDeps,
  secret: string,
): Promise<ConsoleSession | null> {
  if (!secretPattern.test(secret)) {
    return null;
  }
  const now = deps.clock.now();
  const row = await db
    .selectFrom("console_sessions")
    .selectAll()
    .where("secret_hash", "=", hashOf(secret))
    .where(isAlive(now))
    .executeTakeFirst();
  const session = row && openedOf(row, deps);
  if (!session) {
    return null;
  }
  if (row.last_seen_at.getTime() <= now - seenEveryMs) {
    // Skips a session that is being renewed, because this update must not wait.
    await sql`
      update console_sessions set last_seen_at = ${new Date(now)} where secret_hash in (
        select secret_hash from console_sessions where secret_hash = ${row.secret_hash} for update skip locked
      )
    `.execute(db);
  }
  return session;
}

/** Null for a session sealed with a key that we no longer have. Its user signs in again. */
function openedOf(row: Selectable<ConsoleTables["console_sessions"]>, deps: ConsoleSessionDeps): ConsoleSession | null {
  try {
    return sessionOf(row, deps);
  } catch {
    return null;
  }
}

type Renewal = RenewInput & { secret: string };

/** Holds the lock while it calls the identity provider. A caller that does not get it holds no connection meanwhile. */
async function renew(
  db: Kysely<ConsoleTables>,
  deps: ConsoleSessionDeps,
  { secret, staleAccessToken, exchange }: Renewal,
): Promise<ConsoleSession | null> {
  const untilMs = performance.now() + renewalPatienceMs;
  for (;;) {
    const session = await findSession(db, deps, secret);
    if (session === null || session.tokens.accessToken !== staleAccessToken) {
      return session;
    }
    const renewed = await renewIfFree(db, deps, { secret, staleAccessToken, exchange });
    if (renewed !== "taken") {
      return renewed;
    }
    if (performance.now() > untilMs) {
      throw new Error("The session was locked for longer than a renewal may take.");
    }
    await delay(lookAgainMs);
  }
}

function renewIfFree(
  db: Kysely<ConsoleTables>,
  deps: ConsoleSessionDeps,
  { secret, staleAccessToken, exchange }: Renewal,
): Promise<ConsoleSession | null | "taken"> {
  const secretHash = hashOf(secret);
  return transaction(db, async (trx) => {
    const row = await trx
      .selectFrom("console_sessions")
      .selectAll()
      .where("secret_hash", "=", secretHash)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) {
      return "taken";
    }
    const session = sessionOf(row, deps);
    if (session.tokens.accessToken !== staleAccessToken) {
      return session;
    }
    const tokens = await exchange(session.tokens);
    if (tokens === null) {
      await trx.deleteFrom("console_sessions").where("secret_hash", "=", secretHash).execute();
      return null;
    }
    await trx
      .updateTable("console_sessions")
      .set({ tokens: seal(tokens, secretHash, deps.cipher), token_expires_at: new Date(tokens.expiresAtMs) })
      .where("secret_hash", "=", secretHash)
      .execute();
    return { ...session, tokens };
  });
}

function isAlive(nowMs: number) {
  return sql<boolean>`expires_at > ${new Date(nowMs)} and last_seen_at > ${new Date(nowMs - idleMs)}`;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function seal(
  { accessToken, refreshToken }: ConsoleTokens,
  secretHash: Buffer,
  cipher: ConsoleSessionDeps["cipher"],
): Buffer {
  return cipher.seal(Buffer.from(JSON.stringify([accessToken, refreshToken])), placeOf(secretHash));
}

function placeOf(secretHash: Buffer): string {
  return `console_sessions ${secretHash.toString("hex")}`;
}

function sessionOf(row: Selectable<ConsoleTables["console_sessions"]>, { cipher }: ConsoleSessionDeps): ConsoleSession {
  // Only `seal` can have sealed it, because the seal is authenticated.
  const [accessToken, refreshToken] = JSON.parse(
    cipher.open(row.tokens, placeOf(row.secret_hash)).toString("utf8"),
  ) as [string, string];
  return {
    userId: row.user_id,
    accountId: row.account_id,
    grantId: row.grant_id,
    tokens: { accessToken, refreshToken, expiresAtMs: row.token_expires_at.getTime() },
    signedInAtMs: row.signed_in_at.getTime(),
  };
}
