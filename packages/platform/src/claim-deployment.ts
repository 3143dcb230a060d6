import { ConfigurationError } from "@gateway/kernel";
import type { Immutable } from "@gateway/database";
import type { Generated, Kysely } from "kysely";

/** One row: which environment this database belongs to. */
export type DeploymentTables = { deployment: { only_row: Generated<true>; livemode: Immutable<boolean> } };

/**
 * Ties the database to one environment: the first call records it, every later call must name the same one. Sandbox and
 * production never share data, so a process that opens the other one's database must not start: it gets a
 * ConfigurationError.
 */
export async function claimDeployment(
  db: Kysely<DeploymentTables>,
  { livemode }: { livemode: boolean },
): Promise<void> {
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
