import { nounOf } from "@gateway/engine/noun";
import type { Cipher } from "@gateway/kernel";
import { transaction } from "@gateway/database";
import { CompactSign, importJWK, type CryptoKey, type JWK } from "jose";
import { sql, type Kysely, type Selectable } from "kysely";
import { generateKeyPairSync } from "node:crypto";
import { deploymentAccountId, type NounDeps } from "../audit/index.ts";
import { readPage, type PageRequest } from "@gateway/engine/page";
import type { OracleTables } from "./tables.ts";

/** A key that signs price rounds or did so, without its private part. */
export type PriceSigningKey = ReturnType<typeof keyOf>;

/** Returns a JWS in compact form (RFC 7515), by the current key. */
export type Sign = (payload: string) => Promise<string>;

export type PriceSigningKeys = ReturnType<typeof createPriceSigningKeys>;

const algorithm = "EdDSA";

export function createPriceSigningKeys(db: Kysely<OracleTables>, deps: NounDeps) {
  const { cipher, cursors } = deps;
  return {
    /** All keys, newest first. Old ones are kept forever, because they verify what they signed. */
    list: (request: PageRequest) =>
      readPage(db, db.selectFrom("price_signing_keys").selectAll(), {
        ...request,
        of: { algorithm },
        cursors,
        list: "price-signing-keys",
        toItem: keyOf,
      }),
    /** Rejects when our encryption keys cannot open the previous key. Must run in a transaction. */
    roll: async () => {
      await lockKeys(db);
      const signing = await findSigning(db);
      if (signing) {
        // A successor sealed with another encryption key could not be used by the other processes.
        openPrivate(cipher, signing);
      }
      return keyOf(await replaceKey(db, deps));
    },
    /** Signs with the current key. Makes the first one when there is none, in any number of processes at once. */
    signer: async () => {
      const row = (await findSigning(db)) ?? (await makeFirst(db, deps));
      const key = await importPrivate(cipher, row);
      return (payload: string) =>
        new CompactSign(new TextEncoder().encode(payload))
          .setProtectedHeader({ alg: algorithm, kid: row.id })
          .sign(key);
    },
  };
}

type KeyRow = Selectable<OracleTables["price_signing_keys"]>;

function findSigning(db: Kysely<OracleTables>): Promise<KeyRow | undefined> {
  return db.selectFrom("price_signing_keys").selectAll().where("retired_at", "is", null).executeTakeFirst();
}

function makeFirst(db: Kysely<OracleTables>, deps: NounDeps): Promise<KeyRow> {
  return transaction(db, async (trx) => {
    await lockKeys(trx);
    return (await findSigning(trx)) ?? replaceKey(trx, deps);
  });
}

async function lockKeys(trx: Kysely<OracleTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('price signing keys', 0))`.execute(trx);
}

async function replaceKey(
  trx: Kysely<OracleTables>,
  { cipher, clock, createId, recordAudit }: NounDeps,
): Promise<KeyRow> {
  const id = createId("psk");
  const now = new Date(clock.now());
  const { x, d } = makeKeyPair();
  await trx.updateTable("price_signing_keys").set({ retired_at: now }).where("retired_at", "is", null).execute();
  const row = await trx
    .insertInto("price_signing_keys")
    .values({
      id,
      algorithm,
      public_x: x,
      private_d: cipher.seal(Buffer.from(d, "base64url"), contextOf(id)),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAudit(trx, {
    accountId: deploymentAccountId,
    type: "price_signing_key.rolled",
    resourceId: id,
    after: {},
  });
  return row;
}

/** Ed25519 (RFC 8037): a payload always has the same signature, and signing takes well under a millisecond. */
function makeKeyPair(): { x: string; d: string } {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  if (x === undefined || d === undefined) {
    throw new Error("A key of Ed25519 came without its parts.");
  }
  return { x, d };
}

function contextOf(id: string): string {
  return `price signing key ${id}`;
}

function openPrivate(cipher: Pick<Cipher, "open">, { id, private_d: sealed }: KeyRow): string {
  return cipher.open(sealed, contextOf(id)).toString("base64url");
}

async function importPrivate(cipher: Pick<Cipher, "open">, row: KeyRow): Promise<CryptoKey> {
  const jwk: JWK = { kty: "OKP", crv: "Ed25519", x: row.public_x, d: openPrivate(cipher, row) };
  // Only a symmetric key comes as bytes.
  return (await importJWK(jwk, algorithm)) as CryptoKey;
}

/** `x` of RFC 8037. `id`: the `kid`. `retiredAt`: when its successor was made. Null: it is the key that signs. */
function keyOf({ private_d: _sealed, public_x: x, ...row }: KeyRow) {
  return { ...nounOf(row), x };
}
