import { deleteOldest } from "@gateway/database";
import type { Cipher, Clock } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { createHash } from "node:crypto";
import type { AuthTables } from "./tables.ts";

export type ProviderRecord = {
  /** As it was given. */
  payload: Record<string, unknown>;
  consumedAt: Date | null;
};

/** `name` is what the library finds it by: the very value of a code, a token or a cookie. */
export type NamedRecord = { model: string; name: string };

export type NewRecord = NamedRecord & {
  payload: Record<string, unknown>;
  expiresInSeconds: number | null;
  /** Another name by which it can be found. */
  uid?: string | undefined;
  grantId?: string | undefined;
};

/** The store of the OpenID library. Names are stored as hashes and payloads sealed, so a copy holds nothing to send. */
export interface ProviderRecords {
  /** Makes it, or changes all of it but whether it was consumed. */
  save(record: NewRecord): Promise<void>;
  find(record: NamedRecord): Promise<ProviderRecord | null>;
  findByUid(record: { model: string; uid: string }): Promise<ProviderRecord | null>;
  /** False when it is gone or was consumed already: of any number at once, one gets true. */
  consume(record: NamedRecord): Promise<boolean>;
  remove(record: NamedRecord): Promise<void>;
  removeOfGrant(of: { model: string; grantId: string }): Promise<void>;
  prune(limit: number): Promise<number>;
}

export function createProviderRecords(
  db: Kysely<AuthTables>,
  { clock, cipher }: { clock: Clock; cipher: Cipher },
): ProviderRecords {
  const now = (): Date => new Date(clock.now());
  const alive = () =>
    db
      .selectFrom("oidc_records")
      .selectAll()
      .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]));
  const open = (row: Selectable<AuthTables["oidc_records"]> | undefined): ProviderRecord | null =>
    row ? openRecord(cipher, row) : null;
  return {
    save: async (record) => {
      const { model, name_hash, ...content } = rowOfRecord(record, { clock, cipher });
      await db
        .insertInto("oidc_records")
        .values({ model, name_hash, ...content })
        .onConflict((conflict) => conflict.columns(["model", "name_hash"]).doUpdateSet(content))
        .execute();
    },
    find: async ({ model, name }) =>
      open(await alive().where("model", "=", model).where("name_hash", "=", hashOfName(name)).executeTakeFirst()),
    findByUid: async ({ model, uid }) =>
      open(await alive().where("model", "=", model).where("uid_hash", "=", hashOfName(uid)).executeTakeFirst()),
    consume: async ({ model, name }) => {
      const { numUpdatedRows } = await db
        .updateTable("oidc_records")
        .set({ consumed_at: now() })
        .where("model", "=", model)
        .where("name_hash", "=", hashOfName(name))
        .where("consumed_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    remove: async ({ model, name }) => {
      await db
        .deleteFrom("oidc_records")
        .where("model", "=", model)
        .where("name_hash", "=", hashOfName(name))
        .execute();
    },
    removeOfGrant: async ({ model, grantId }) => {
      await db
        .deleteFrom("oidc_records")
        .where("grant_id", "=", grantId)
        // Not a condition that an index serves: most records are of one model.
        .where(sql<boolean>`model || '' = ${model}`)
        .execute();
    },
    prune: (limit) => deleteOldest(db, { from: "oidc_records", by: "expires_at", until: now(), limit }),
  };
}

export function hashOfName(name: string): Buffer {
  return createHash("sha256").update(name).digest();
}

function contextOf(model: string, nameHash: Buffer): string {
  return `oidc ${model} ${nameHash.toString("hex")}`;
}

export function rowOfRecord(
  { model, name, payload, expiresInSeconds, uid, grantId }: NewRecord,
  { clock, cipher }: { clock: Clock; cipher: Pick<Cipher, "seal"> },
) {
  const nameHash = hashOfName(name);
  return {
    model,
    name_hash: nameHash,
    payload: cipher.seal(Buffer.from(JSON.stringify(payload)), contextOf(model, nameHash)),
    uid_hash: uid === undefined ? null : hashOfName(uid),
    grant_id: grantId ?? null,
    expires_at: expiresInSeconds === null ? null : new Date(clock.now() + expiresInSeconds * 1000),
  };
}

type Row = Pick<Selectable<AuthTables["oidc_records"]>, "model" | "name_hash" | "payload" | "consumed_at">;

export function openRecord(
  cipher: Pick<Cipher, "open">,
  { model, name_hash, payload, consumed_at }: Row,
): ProviderRecord {
  const opened = cipher.open(payload, contextOf(model, name_hash)).toString();
  // Sealed by `rowOfRecord` out of this very type, and the seal is authenticated.
  return { payload: JSON.parse(opened) as Record<string, unknown>, consumedAt: consumed_at };
}
