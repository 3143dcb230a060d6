import { readMetric, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { expect } from "vitest";
import type { TestGateway } from "./test-gateway.ts";

export type Sandglass = {
  /** Asserts that no response since its start came because the wait had expired. */
  expectRunning(): Promise<void>;
  stop(): Promise<void>;
};

type SandglassOptions = {
  accountId: string;
  /** Sends a request that waits for 25 s. */
  begin(): Promise<unknown>;
  /** Causes the event that it waits for. */
  end(): Promise<unknown>;
};

/**
 * A request of another account for which nothing happens, sent before those that a test waits for. While it waits,
 * their waits have not expired either, so an event caused their responses.
 */
export async function startSandglass(gateway: TestGateway, options: SandglassOptions): Promise<Sandglass> {
  const answered = options.begin();
  await whenWaiting(gateway, { count: 1, accountId: options.accountId });
  return {
    expectRunning: async () => expect(await countWaiting(gateway)).toBe(1),
    stop: async () => {
      await options.end();
      await answered;
    },
  };
}

/** Resolves when `count` requests wait, and Postgres knows a waiting request of this account. */
export async function whenWaiting(
  gateway: TestGateway,
  { count, accountId }: { count: number; accountId: string },
): Promise<void> {
  await waitFor(async () => (await countWaiting(gateway)) === count);
  await waitFor(async () => {
    const { rows } = await sql`select from followers where account_id = ${accountId}`.execute(gateway.database.kysely);
    return rows.length > 0;
  });
}

export async function countWaiting({ metricsPort }: TestGateway): Promise<number> {
  return (await readMetric(metricsPort, "gateway_waiting_requests")).get("") ?? Number.NaN;
}
