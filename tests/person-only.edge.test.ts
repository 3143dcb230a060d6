import { createClient, createOAuthSession, isGatewayError } from "../packages/client/src/index.ts";
import { createTestClock } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consoleEnv, createConsoleClient } from "../apps/auth/test/support/console-client.ts";
import { answerQuestions, createOauthClient, type OauthClient } from "../apps/auth/test/support/oauth-client.ts";
import type { Person } from "../apps/auth/test/support/test-auth.ts";
import { startAuthAndGateways, type AuthAndGateways } from "./support/auth-and-gateways.ts";

/** An entry of the address book, which only people may add. */
const entry = {
  network: "ethereum",
  address: "0x52908400098527886e0f7030069857d2e4169ee7",
  name: "Supplier",
} as const;

describe("what only a person may do who has just signed in", () => {
  const clock = createTestClock(Date.now());
  let system: AuthAndGateways;
  let person: Person;
  let console: OauthClient;

  beforeAll(async () => {
    system = await startAuthAndGateways({ clock, env: consoleEnv });
    person = await system.auth.createPerson();
    console = createConsoleClient(system.auth);
  });
  afterAll(() => system.stop());

  const connect = (accessToken: string) =>
    createClient({ baseUrl: system.gatewayUrls[0] ?? "", accessToken, maxRetries: 0 });
  const create = async (accessToken: string): Promise<string> => {
    try {
      return (await connect(accessToken).addressBook.create(entry)).id;
    } catch (error) {
      return isGatewayError(error) ? error.code : String(error);
    }
  };

  test("is done by the console, until 300 s after the sign-in, and a refresh changes nothing about it", async () => {
    const scope = "openid admin";
    const { access_token: token, refresh_token: refreshToken } = await console.connect(person, { scope });
    clock.advance(299_000);
    expect(await create(token)).toMatch(/^adb_/);
    clock.advance(2_000);
    expect(await create(token)).toBe("FRESH_SIGN_IN_REQUIRED");
    clock.advance(300_000);
    const { json } = await console.refresh(refreshToken);
    expect(await create(json.access_token)).toBe("FRESH_SIGN_IN_REQUIRED");
    const fresh = await console.connect(person, { scope });
    expect(await create(fresh.access_token)).toMatch(/^adb_/);
  });

  test("is done by no other application, however fresh its person, and by no key", async () => {
    const application = createOauthClient(system.auth, await system.auth.createApplication(person.account));
    const { access_token: token } = await application.connect(person, { scope: "openid admin" });
    expect(await create(token)).toBe("PERSON_REQUIRED");
    const key = await system.auth.platform.accounts.apiKeys.create({
      accountId: person.account.id,
      name: "Admin",
      permission: "admin",
      expiresAt: null,
    });
    const client = createClient({ baseUrl: system.gatewayUrls[0] ?? "", apiKey: key.secret, maxRetries: 0 });
    await expect(client.addressBook.create(entry)).rejects.toMatchObject({ status: 403, code: "PERSON_REQUIRED" });
  });

  test("the client is told how fresh, and steps up with it in the same browser, into the same account", async () => {
    const scope = "openid admin";
    const browser = await system.auth.openBrowser(person);
    const { access_token: old } = await console.connect(person, { scope, browser });
    clock.advance(301_000);
    const error: unknown = await connect(old)
      .addressBook.create(entry)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "AuthenticationError", code: "FRESH_SIGN_IN_REQUIRED", maxAgeSeconds: 300 });
    // The library uses the machine's clock, which the test does not move, so for it the sign-in is fresh.
    // `prompt=login` forces a new one.
    const { url, pending } = await createOAuthSession({
      authUrl: system.auth.origin,
      clientId: console.application.id,
      redirectUri: console.redirectUri,
    }).begin(scope.split(" "), { maxAgeSeconds: 300 });
    expect(new URL(url).searchParams.get("max_age")).toBe("300");
    const page = await browser.open(`${url}&prompt=login`);
    expect(page.forms.flatMap(({ inputs }) => inputs)).toContain("password");
    const back = new URL((await answerQuestions(browser, page, { person })).url);
    const code = back.searchParams.get("code") ?? "";
    system.auth.watch.note(pending.codeVerifier);
    const { json } = await console.exchange({ code, verifier: pending.codeVerifier, url: back, browser });
    expect(await create(json.access_token)).toMatch(/^adb_/);
    expect(await create(old)).toBe("FRESH_SIGN_IN_REQUIRED");
  });
});
