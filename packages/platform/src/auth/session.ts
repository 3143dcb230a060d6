import type { AuthServiceDeps } from "./user-audit.ts";
import { nounOf, type NounOf } from "@gateway/engine/noun";
import { deleteOldest } from "@gateway/database";
import { sql, type Kysely, type Selectable } from "kysely";
import { randomBytes } from "node:crypto";
import { walkIndex } from "@gateway/engine/page";
import { endSessions } from "./end-sessions.ts";
import { hashOf } from "./hash-of.ts";
import type { AuthTables } from "./tables.ts";

/** The way in which a user proved their identity: `link` is a link mailed to their address. */
export type SignInMethod = "password" | "passkey" | "link";

/** The factor that an additional code proved. */
export type SecondFactor = "totp" | "recovery_code";

/** Without its secret. `secondFactor`: proved in addition. `authenticatedAt`: the last proof of the presence. */
export type Session = Omit<NounOf<Row>, "secretHash">;

type Row = Selectable<AuthTables["sessions"]>;

const dayMs = 86_400_000;
/** An unused session ends after 30 days, and every session after 90. */
const idleMs = 30 * dayMs;
const lifeMs = 90 * dayMs;
const mostListed = 100;
/** Limits writes, because otherwise each page would write a row. */
const seenEveryMs = 60_000;

/** At the time of the sign-in. `provesFactor` decides whether the factor still counts. */
export function hasSecondFactor({ method, secondFactor }: Pick<Session, "method" | "secondFactor">): boolean {
  return method === "passkey" || secondFactor !== null;
}

export type Sessions = ReturnType<typeof createSessions>;

type StartInput = {
  userId: string;
  method: SignInMethod;
  secondFactor?: SecondFactor | null;
  userAgent: string;
  address: string;
};

export function createSessions(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  const { clock } = deps;
  const now = (): Date => new Date(clock.now());
  const isAlive = () => sql<boolean>`
    ended_at is null and expires_at > ${now()} and last_seen_at > ${new Date(clock.now() - idleMs)}
  `;
  return {
    /** Only this result has the secret, 256 random bits in base64url, because the database stores its hash. */
    start: (session: StartInput) => startSession(db, deps, session),
    /** Null when it ended, expired or does not exist. Notes that it is in use. */
    find: async (secret: string) => {
      const row = await db
        .selectFrom("sessions")
        .selectAll()
        .where("secret_hash", "=", hashOf(secret))
        .where(isAlive())
        .executeTakeFirst();
      if (!row) {
        return null;
      }
      if (row.last_seen_at.getTime() <= clock.now() - seenEveryMs) {
        await db.updateTable("sessions").set({ last_seen_at: now() }).where("id", "=", row.id).execute();
      }
      return sessionOf(row);
    },
    /** Living sessions, the last seen first. For a user with many sign-ins, they are taken from the newest hundred. */
    listOfUser: async (userId: string) => {
      const newest = walkIndex(db.selectFrom("sessions").selectAll().where("ended_at", "is", null), {
        of: { user_id: userId },
        most: mostListed,
      });
      const rows = await db
        .selectFrom(newest.as("newest"))
        .selectAll()
        .where(isAlive())
        .orderBy("last_seen_at", "desc")
        .orderBy("id", "desc")
        .execute();
      return rows.map(sessionOf);
    },
    /** False when the user no longer has this session. */
    end: async ({ sessionId, userId }: { sessionId: string; userId: string }) => {
      const { numUpdatedRows } = await endSessions(db, { userId, now: now() })
        .where("id", "=", sessionId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /** Ends all sessions of the user except one; `exceptId: null` ends all of them. Returns how many ended. */
    endAll: async ({ userId, exceptId }: { userId: string; exceptId: string | null }) => {
      const all = endSessions(db, { userId, now: now() });
      const ended = exceptId === null ? all : all.where("id", "<>", exceptId);
      return Number((await ended.executeTakeFirst()).numUpdatedRows);
    },
    prune: (limit: number) => deleteOldest(db, { from: "sessions", by: "expires_at", until: now(), limit }),
  };
}

async function startSession(
  db: Kysely<AuthTables>,
  { clock, createId }: AuthServiceDeps,
  { userId, method, secondFactor = null, userAgent, address }: StartInput,
): Promise<Session & { secret: string }> {
  const secret = randomBytes(32).toString("base64url");
  const now = new Date(clock.now());
  const row = await db
    .insertInto("sessions")
    .values({
      id: createId("ses"),
      user_id: userId,
      secret_hash: hashOf(secret),
      method,
      second_factor: secondFactor,
      user_agent: userAgent,
      address,
      created_at: now,
      authenticated_at: now,
      last_seen_at: now,
      expires_at: new Date(clock.now() + lifeMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...sessionOf(row), secret };
}

function sessionOf({ secret_hash: _hash, ...row }: Row): Session {
  return nounOf(row);
}
