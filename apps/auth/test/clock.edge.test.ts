import { shiftMachineClock } from "@gateway/testkit";
import { decodeJwt } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { startTestAuth } from "./support/test-auth.ts";

test("access tokens are issued at Postgres' time, which gateways compare them with, on a machine that is 20 s ahead", async () => {
  const rightMs = Date.now();
  onTestFinished(shiftMachineClock(20_000));
  const auth = await startTestAuth();
  onTestFinished(() => auth.stop());
  const person = await auth.createPerson();
  const client = createOauthClient(auth, await auth.createApplication(person.account));
  const { access_token: token } = await client.connect(person);
  const { iat = 0, exp = 0 } = decodeJwt(token);

  expect(iat).toBeGreaterThanOrEqual(Math.floor(rightMs / 1000));
  expect(iat).toBeLessThanOrEqual(Date.now() / 1000 - 19);
  expect(exp - iat).toBe(3600);
});
