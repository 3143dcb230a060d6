import { deleteOldest } from "@gateway/database";
import type { Cipher, Clock } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { hashOf } from "./hash-of.ts";
import type { AuthTables } from "./tables.ts";

export type ProviderRecord = {
  /** The payload of the last `save`. */
  payload: Record<string, unknown>;
  consumedAt: Date | null;
};

/** `name` is the value by which the library finds a record: that of a code, a token or a cookie. */
export type NamedRecord = { model: string; name: string };

export type NewRecord = NamedRecord & {
  payload: Record<string, unknown>;
  expiresInSeconds: number | null;
  /** Another name by which it can be found. */
  uid?: string | undefined;
  grantId?: string | undefined;
};

/**
 * The store of the OpenID library. Names are stored as hashes and payloads sealed, so a copy contains no usable token.
 */
export interface ProviderRecords {
  /** Creates the record, or replaces everything except whether it was consumed. */
  save(record: NewRecord): Promise<void>;
  find(record: NamedRecord): Promise<ProviderRecord | null>;
  findByUid(record: { model: string; uid: string }): Promise<ProviderRecord | null>;
  /** False when it is gone or already consumed: of any number of concurrent calls, one gets true. */
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
      open(await alive().where("model", "=", model).where("name_hash", "=", hashOf(name)).executeTakeFirst()),
    findByUid: async ({ model, uid }) =>
      open(await alive().where("model", "=", model).where("uid_hash", "=", hashOf(uid)).executeTakeFirst()),
    consume: async ({ model, name }) => {
      const { numUpdatedRows } = await db
        .updateTable("oidc_records")
        .set({ consumed_at: now() })
        .where("model", "=", model)
        .where("name_hash", "=", hashOf(name))
        .where("consumed_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    remove: async ({ model, name }) => {
      await db.deleteFrom("oidc_records").where("model", "=", model).where("name_hash", "=", hashOf(name)).execute();
    },
    removeOfGrant: async ({ model, grantId }) => {
      await db
        .deleteFrom("oidc_records")
        .where("grant_id", "=", grantId)
        // Written so that no index serves it, because most records have the same model.
        .where(sql<boolean>`model || '' = ${model}`)
        .execute();
    },
    prune: (limit) => deleteOldest(db, { from: "oidc_records", by: "expires_at", until: now(), limit }),
  };
}

function contextOf(model: string, nameHash: Buffer): string {
  return `oidc ${model} ${nameHash.toString("hex")}`;
}

export function rowOfRecord(
  { model, name, payload, expiresInSeconds, uid, grantId }: NewRecord,
  { clock, cipher }: { clock: Clock; cipher: Pick<Cipher, "seal"> },
) {
  const nameHash = hashOf(name);
  return {
    model,
    name_hash: nameHash,
    payload: cipher.seal(Buffer.from(JSON.stringify(payload)), contextOf(model, nameHash)),
    uid_hash: uid === undefined ? null : hashOf(uid),
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
  // Sealed by `rowOfRecord` from this type, and the seal is authenticated.
  return { payload: JSON.parse(opened) as Record<string, unknown>, consumedAt: consumed_at };
}
