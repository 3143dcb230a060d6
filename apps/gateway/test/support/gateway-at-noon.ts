import { createDatabaseTestClock, createTestDatabase, type DatabaseTestClock } from "@gateway/testkit";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./test-gateway.ts";

/**
 * Half a minute after noon of a Monday. No day, hour or minute ends in a test, and simulated prices are the same in
 * each run.
 */
export const noonMs = Date.UTC(2026, 2, 9, 12, 0, 30);

/** A gateway whose clock, and that of its database, stands still until the test moves it. */
export async function startGatewayAtNoon(
  options: TestGatewayOptions = {},
): Promise<{ gateway: TestGateway; clock: DatabaseTestClock }> {
  const { url: databaseUrl } = await createTestDatabase();
  const clock = await createDatabaseTestClock(databaseUrl, noonMs);
  return { gateway: await startTestGateway({ databaseUrl, clock, ...options }), clock };
}
