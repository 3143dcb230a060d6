import type { AuthServiceDeps } from "./user-audit.ts";
import { nounOf } from "@gateway/engine/noun";
import type { Cipher } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { createHash, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { deploymentAccountId } from "../audit/index.ts";
import type { AuthTables } from "./tables.ts";

export type PublicJwk = Record<"kty" | "kid" | "alg" | "use" | "n" | "e", string>;
export type PrivateJwk = PublicJwk & Record<"d" | "p" | "q" | "dp" | "dq" | "qi", string>;

/** `signsFrom`: signs from this time until another key does. `retiresAt` null: not before its successor is made. */
export type SigningKey = ReturnType<typeof keyOf>;

type Row = Selectable<AuthTables["signing_keys"]>;

export type SigningKeyWithSecret = SigningKey & { privateJwk: PrivateJwk };

const minuteMs = 60_000;
/** Verifiers read the key set every 5 minutes, so by then all of them know the key before they meet a signature. */
const knownAfterMs = 15 * minuteMs;
/** A token is valid for an hour after its signature. The rest allows for clocks that differ. */
const neededAfterMs = 75 * minuteMs;
const rolledEveryMs = 30 * 24 * 60 * minuteMs;

export type SigningKeys = ReturnType<typeof createSigningKeys>;

export function createSigningKeys(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  const { clock, cipher } = deps;
  const selectPublished = () =>
    db
      .selectFrom("signing_keys")
      .selectAll()
      .where((where) => where.or([where("retires_at", "is", null), where("retires_at", ">", new Date(clock.now()))]))
      .orderBy("signs_from", "desc")
      .orderBy("id");
  const findNewest = async (): Promise<SigningKey | null> => {
    const row = await selectPublished().executeTakeFirst();
    return row ? keyOf(row) : null;
  };
  /** Makes the key before taking the lock, because it takes long and others would have to wait. */
  const rollWhen = async (
    isNeeded: (newest: SigningKey | null) => boolean,
    immediately: boolean,
  ): Promise<SigningKey | null> => {
    if (!isNeeded(await findNewest())) {
      return null;
    }
    const made = await makeKey();
    await lockKeys(db);
    return isNeeded(await findNewest()) ? replaceKeys(db, { ...deps, immediately, made }) : null;
  };
  const isOld = (newest: SigningKey | null): boolean =>
    newest === null || newest.createdAt.getTime() <= clock.now() - rolledEveryMs;
  return {
    /** The key set, newest first, without private parts, so it needs no encryption key. */
    list: async () => (await selectPublished().execute()).map(keyOf),
    load: async () =>
      (await selectPublished().execute()).map((row) => ({ ...keyOf(row), privateJwk: openPrivate(cipher, row) })),
    /** Makes the first key when there is none. Any number of processes may do so at once. Must run in a transaction. */
    ensure: async () => {
      await rollWhen((newest) => newest === null, true);
    },
    /**
     * Makes a key that is published now and signs in 15 minutes. `immediately` is for keys that others may know: the
     * new key signs at once, and signatures of the others become invalid. Rejects when our encryption keys are not
     * those of the key set.
     */
    roll: async ({ immediately = false }: { immediately?: boolean } = {}) => {
      const made = await makeKey();
      await lockKeys(db);
      // A new key sealed under a different encryption key would stop every identity provider.
      (await selectPublished().execute()).forEach((row) => openPrivate(cipher, row));
      return replaceKeys(db, { ...deps, immediately, made });
    },
    /** Rolls when the newest key is 30 days old. Returns whether it did. Must run in a transaction. */
    rollIfDue: async () => (await rollWhen(isOld, false)) !== null,
    prune: async () => {
      const { numDeletedRows } = await db
        .deleteFrom("signing_keys")
        .where("retires_at", "<=", new Date(clock.now()))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** The key that signs at that moment. Undefined only for an empty set. */
export function signingKeyAt<Key extends SigningKey>(keys: readonly Key[], nowMs: number): Key | undefined {
  const newestFirst = keys.toSorted((one, other) => other.signsFrom.getTime() - one.signsFrom.getTime());
  return newestFirst.find((key) => key.signsFrom.getTime() <= nowMs) ?? newestFirst.at(-1);
}

/** Ensures that two processes that start at once make one key, and two that roll at once one successor. */
async function lockKeys(db: Kysely<AuthTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('signing keys', 0))`.execute(db);
}

type Replacement = AuthServiceDeps & { immediately: boolean; made: MadeKey };

async function replaceKeys(
  db: Kysely<AuthTables>,
  { clock, cipher, recordAudit, immediately, made: { id, publicJwk, privateJwk } }: Replacement,
): Promise<SigningKey> {
  const now = clock.now();
  const signsFromMs = immediately ? now : now + knownAfterMs;
  const retiresAt = new Date(immediately ? now : signsFromMs + neededAfterMs);
  await db
    .updateTable("signing_keys")
    .set({ retires_at: retiresAt })
    .where((where) => where.or([where("retires_at", "is", null), where("retires_at", ">", retiresAt)]))
    .execute();
  const row = await db
    .insertInto("signing_keys")
    .values({
      id,
      algorithm,
      public_jwk: JSON.stringify(publicJwk),
      private_jwk: cipher.seal(Buffer.from(JSON.stringify(privateJwk)), contextOf(id)),
      created_at: new Date(now),
      signs_from: new Date(signsFromMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = { signsFrom: row.signs_from.toISOString(), immediately };
  await recordAudit(db, { accountId: deploymentAccountId, type: "signing_key.rolled", resourceId: id, after });
  return keyOf(row);
}

type MadeKey = { id: string; publicJwk: PublicJwk; privateJwk: PrivateJwk };

const algorithm = "RS256";
const generate = promisify(generateKeyPair);

/** RSA with 2048 bits: the only kind that every OpenID client must know (OpenID Connect Core 1.0, 15.1). */
async function makeKey(): Promise<MadeKey> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 });
  // Node types this for keys of all kinds; an RSA key has each of these (RFC 7518, 6.3).
  const made = privateKey.export({ format: "jwk" }) as PrivateJwk;
  const { n, e } = made;
  // The thumbprint of RFC 7638.
  const kid = createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url");
  const publicJwk: PublicJwk = { kty: "RSA", kid, alg: algorithm, use: "sig", n, e };
  return { id: kid, publicJwk, privateJwk: { ...made, ...publicJwk } };
}

function contextOf(id: string): string {
  return `signing key ${id}`;
}

function openPrivate(cipher: Pick<Cipher, "open">, row: Row): PrivateJwk {
  // Sealed by `replaceKeys` from this type, and the seal is authenticated.
  return JSON.parse(cipher.open(row.private_jwk, contextOf(row.id)).toString()) as PrivateJwk;
}

function keyOf({ private_jwk: _sealed, public_jwk: publicJwk, ...row }: Row) {
  // Written by `replaceKeys` from this type.
  return { ...nounOf(row), publicJwk: publicJwk as PublicJwk };
}
