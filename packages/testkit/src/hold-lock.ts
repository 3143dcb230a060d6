import { onTestFinished } from "vitest";
import pg from "pg";

export type HeldLock = {
  /** Commits. */
  release(): Promise<void>;
};

/**
 * Runs a statement in a transaction of its own and keeps its locks until `release`, or until the end of the test.
 * Unlike a transaction of the product it has no time limit, so a busy machine does not end it.
 */
export async function holdLock(url: string, statement: string): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: url, application_name: "lock of a test" });
  client.on("error", () => {});
  await client.connect();
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (isHeld) {
      isHeld = false;
      await client.query("commit").finally(() => client.end());
    }
  };
  onTestFinished(release);
  await client.query("begin");
  await client.query(statement);
  return { release };
}
