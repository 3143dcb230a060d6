import { buildIndexes, createMissingIndexes, findMissingIndexes, type PreparedMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * What a key or a person made is looked for when that person goes. The column comes with 0018: where that one has run before, the indexes
 * are built while others write; where both run together nothing is in it yet.
 */
export const createdBy: PreparedMigration = {
  indexes: [],
  async prepare(db) {
    if (await isColumnThere(db)) {
      await buildIndexes(db, await findMissingIndexes(db, indexes));
    }
  },
  async up(db: Kysely<unknown>) {
    await createMissingIndexes(db, indexes);
  },
};

const maker = `((created_by ->> 'id') collate "C"), account_id, id`;

const indexes = [
  { name: "api_keys_by_maker", on: `api_keys (${maker})` },
  { name: "oauth_applications_by_maker", on: `oauth_applications (${maker}) where deleted_at is null` },
  { name: "webhooks_by_maker", on: `webhooks (${maker}) where deleted_at is null` },
];

async function isColumnThere(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = to_regclass('api_keys') and attname = 'created_by'
  `.execute(db);
  return rows.length > 0;
}
