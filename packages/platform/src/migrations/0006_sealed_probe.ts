import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A word that only the encryption keys of this database open, so that a process with other keys does not start. */
export const sealedProbe: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table deployment add column sealed_probe bytea`.execute(db);
  },
};
