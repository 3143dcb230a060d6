import { ConfigurationError, createCipher } from "@gateway/kernel";
import type { Immutable } from "@gateway/database";
import type { ColumnType, Generated, Kysely } from "kysely";

export type DeploymentTables = {
  deployment: {
    only_row: Generated<true>;
    livemode: Immutable<boolean>;
    /** Null in a database that no program with keys has opened since the column exists. */
    sealed_probe: ColumnType<Buffer | null, Buffer | null, Buffer>;
  };
};

export type Deployment = {
  livemode: boolean;
  /** The first key seals, all of them open. Null for a program that seals and opens nothing. */
  encryptionKeys: readonly Buffer[] | null;
};

/**
 * Ties the database to one environment and its keys. The first call records them. Every later call must name the same
 * ones, or it gets a ConfigurationError. Once a process with a new first key has started, a process without that key is
 * refused too.
 */
export async function claimDeployment(
  db: Kysely<DeploymentTables>,
  { livemode, encryptionKeys }: Deployment,
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
  if (encryptionKeys) {
    await claimKeys(db, encryptionKeys);
  }
}

function environment(livemode: boolean): string {
  return livemode ? "production" : "sandbox";
}

const place = "deployment";

async function claimKeys(db: Kysely<DeploymentTables>, keys: readonly Buffer[]): Promise<void> {
  const probe = createCipher(keys).seal(Buffer.from("gateway"), place);
  await db.updateTable("deployment").set({ sealed_probe: probe }).where("sealed_probe", "is", null).execute();
  const { sealed_probe: sealed } = await db.selectFrom("deployment").select("sealed_probe").executeTakeFirstOrThrow();
  if (!sealed || !opens(keys, sealed)) {
    throw new ConfigurationError([
      "ENCRYPTION_KEYS does not hold the key that this database was last opened with: its encrypted data could not be decrypted. " +
        "Put the key back, after the new one if there is one, or point DATABASE_URL or DATA_DIR at another database.",
    ]);
  }
  if (!opens(keys.slice(0, 1), sealed)) {
    await db.updateTable("deployment").set({ sealed_probe: probe }).where("sealed_probe", "=", sealed).execute();
  }
}

function opens(keys: readonly Buffer[], sealed: Buffer): boolean {
  try {
    createCipher(keys).open(sealed, place);
    return true;
  } catch {
    return false;
  }
}
