import { ConfigurationError } from "@gateway/kernel";
import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Ties the database to one environment: the first call records it, every later call must name the same one. Sandbox and
 * production never share data, so a process that opens the other one's database must not start: it gets a
 * ConfigurationError.
 */
export async function claimDeployment(db: Kysely<Schema>, { livemode }: { livemode: boolean }): Promise<void> {
  await db
    .insertInto("deployment")
    .values({ livemode })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom("deployment").select("livemode").executeTakeFirstOrThrow();
  if (row.livemode !== livemode) {
    throw new ConfigurationError([
      `This database belongs to the ${environment(row.livemode)} gateway and was opened with LIVEMODE=${livemode}. ` +
        `Point DATABASE_URL or DATA_DIR at the ${environment(livemode)} database, or change LIVEMODE.`,
    ]);
  }
}

function environment(livemode: boolean): string {
  return livemode ? "production" : "sandbox";
}
