import { createCipher } from "@gateway/kernel";
import { openUserMail } from "@gateway/platform/mails";
import { createTestClock, waitFor } from "@gateway/testkit";
import * as openid from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerQuestions, createOauthClient, type OauthClient } from "../apps/auth/test/support/oauth-client.ts";
import type { Person, TestAuth } from "../apps/auth/test/support/test-auth.ts";
import { startAuthAndGateways, type AuthAndGateways } from "./support/auth-and-gateways.ts";

describe("the identity provider and the gateway", () => {
  const clock = createTestClock(Date.now());
  let system: AuthAndGateways;
  let auth: TestAuth;
  let person: Person;
  let client: OauthClient;

  beforeAll(async () => {
    system = await startAuthAndGateways({ clock });
    auth = system.auth;
    person = await auth.createPerson();
    client = createOauthClient(auth, await auth.createApplication(person.account));
  });
  afterAll(() => system.stop());

  const expectStatus = async (accessToken: string, status: number): Promise<void> => {
    for (const gateway of system.gatewayUrls.keys()) {
      await waitFor(async () => (await system.listWallets(accessToken, gateway)) === status);
      expect(await system.listWallets(accessToken, gateway)).toBe(status);
    }
  };

  test("openid-client signs a person in and lists wallets at the gateway", async () => {
    const redirectUri = "http://localhost:3000/callback";
    const { id: clientId } = await auth.createApplication(person.account, { redirectUris: [redirectUri] });
    const config = await openid.discovery(new URL(auth.origin), clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    });
    const verifier = auth.watch.note(openid.randomPKCECodeVerifier());
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid read",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const browser = await auth.openBrowser();
    const last = await answerQuestions(browser, await browser.open(url.href), { person });
    const tokens = await openid.authorizationCodeGrant(config, new URL(last.url), { pkceCodeVerifier: verifier });
    auth.watch.note(tokens.access_token);
    auth.watch.note(tokens.refresh_token ?? "");
    const wallets = new URL(`${system.gatewayUrls[0]}/api/v1/wallets`);
    const list = await openid.fetchProtectedResource(config, tokens.access_token, wallets, "GET");
    expect(await list.json()).toMatchObject({ data: [], meta: { hasMore: false } });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    auth.watch.note(refreshed.access_token);
    auth.watch.note(refreshed.refresh_token ?? "");
    expect((await openid.fetchProtectedResource(config, refreshed.access_token, wallets, "GET")).status).toBe(200);
  });

  test("the first key of an account, made on its page, opens the first call", async () => {
    const owner = await auth.createPerson();
    const browser = await auth.openBrowser(owner);
    const page = await browser.open(`/account/first-key/${owner.account.id}`);
    const { html } = await browser.submit(page.forms[0]);
    const key = auth.watch.note(/<code>(gk_test_\w+)<\/code>/.exec(html)?.[1] ?? "");
    const answer = await fetch(`${system.gatewayUrls[0]}/api/v1/account`, { headers: { "X-API-Key": key } });
    expect(await answer.json()).toMatchObject({ data: { id: owner.account.id } });
  });

  test("the mailed link of another address that a key asked for, opened by nobody in particular, changes where the account is written to", async () => {
    const { account } = await auth.createPerson();
    const { platform } = auth;
    const request = { accountId: account.id, name: "Admin", permission: "admin", expiresAt: null } as const;
    const key = auth.watch.note((await platform.accounts.apiKeys.create(request)).secret);
    const call = async (init?: RequestInit): Promise<unknown> => {
      const headers = { "X-API-Key": key, "Content-Type": "application/json" };
      return (await fetch(`${system.gatewayUrls[0]}/api/v1/account`, { ...init, headers })).json();
    };
    const email = "accounts@example.com";
    expect(await call({ method: "PATCH", body: JSON.stringify({ email }) })).toMatchObject({
      data: { email: account.email, pendingEmail: email },
    });
    const browser = await auth.openBrowser();
    const page = await browser.open(await linkMailedTo(auth, email));
    expect((await browser.submit(page.forms[0])).status).toBe(200);
    expect(await call()).toMatchObject({ data: { email, pendingEmail: null } });
  });

  test("the access token of a code that is used again stops working at every gateway within 5 s", async () => {
    const authorization = await client.authorize(person);
    const { json } = await client.exchange(authorization);
    await expectStatus(json.access_token, 200);
    expect(await client.exchange(authorization)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    await expectStatus(json.access_token, 401);
  });

  test("a refresh token used again after 30 s ends the newest access token of its family at every gateway", async () => {
    const tokens = await client.connect(person);
    const { json: newest } = await client.refresh(tokens.refresh_token);
    await expectStatus(newest.access_token, 200);
    clock.advance(30_000);
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400 });
    await expectStatus(newest.access_token, 401);
    expect(await client.refresh(newest.refresh_token)).toMatchObject({ status: 400 });
  });

  test.each(["access_token", "refresh_token"] as const)("revoking the %s ends both at every gateway", async (kind) => {
    const tokens = await client.connect(person);
    await expectStatus(tokens.access_token, 200);
    const form = { client_id: client.application.id, token: tokens[kind] };
    expect(await client.post("/api/v1/revocation", form)).toMatchObject({ status: 200 });
    await expectStatus(tokens.access_token, 401);
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400 });
  });

  test("an application that the user disconnects is out at every gateway", async () => {
    const { browser, ...rest } = await client.authorize(person);
    const { json } = await client.exchange({ ...rest, browser });
    await expectStatus(json.access_token, 200);
    const account = await browser.open("/account");
    const form = account.forms.find(({ action }) => action.includes("disconnect"));
    await browser.submit(form);
    await expectStatus(json.access_token, 401);
  });
});

async function linkMailedTo(auth: TestAuth, email: string): Promise<string> {
  const { id, content } = await auth.database.kysely
    .selectFrom("mails")
    .select(["id", "content"])
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  const mail = openUserMail(createCipher([auth.encryptionKey]), { id, content: content ?? Buffer.alloc(0) });
  const url = "url" in mail ? mail.url : "";
  auth.watch.note(new URL(url).searchParams.get("token") ?? "");
  return url;
}
