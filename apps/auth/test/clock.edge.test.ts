import { createTestDatabase, setDatabaseTime, shiftMachineClock } from "@gateway/testkit";
import { decodeJwt } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { startTestAuth } from "./support/test-auth.ts";

/** Far from the time of the machine, and in the first minutes of an hour. */
const databaseMs = Date.UTC(2030, 2, 9, 12);

test("access tokens are issued at Postgres' time, which gateways compare them with, whatever the machine believes", async () => {
  const { url: databaseUrl } = await createTestDatabase();
  await setDatabaseTime(databaseUrl, databaseMs);
  onTestFinished(shiftMachineClock(20_000));
  const auth = await startTestAuth({ databaseUrl });
  onTestFinished(() => auth.stop());
  const person = await auth.createPerson();
  const client = createOauthClient(auth, await auth.createApplication(person.account));
  const { access_token: token } = await client.connect(person);
  const { iat = 0, exp = 0 } = decodeJwt(token);

  expect(new Date(iat * 1000).toISOString()).toMatch(/^2030-03-09T12:/);
  expect(exp - iat).toBe(3600);
});
