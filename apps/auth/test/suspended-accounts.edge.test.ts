import { revokeCredentials } from "@gateway/platform/acts/revoke-credentials";
import { resumeAccount, suspendAccount } from "@gateway/platform/acts/suspend-account";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import { pathOf, textOf } from "./support/pages.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

describe("a suspended account", () => {
  const pages = usePages();
  let client: OauthClient;
  let person: Person;
  let browser: Browser;

  beforeAll(async () => {
    const registrar = await pages.auth.createPerson();
    client = createOauthClient(pages.auth, await pages.auth.createApplication(registrar.account));
  });
  beforeEach(async () => {
    person = await pages.auth.createPerson();
    browser = pages.openBrowser();
  });

  const suspend = (): Promise<unknown> =>
    pages.auth.platform.transaction((services) =>
      suspendAccount(services, { id: person.account.id, reason: "A secret of the operator" }),
    );
  const resume = (): Promise<unknown> =>
    pages.auth.platform.transaction((services) => resumeAccount(services, person.account.id));
  const signIn = (page: BrowserPage): Promise<BrowserPage> =>
    browser.submit(page.forms[0], { email: person.user.email, password: person.password });
  const codeOf = ({ url }: BrowserPage): string | null => new URL(url).searchParams.get("code");
  const userinfo = async (token: string): Promise<number> =>
    (await fetch(`${pages.auth.origin}/api/v1/userinfo`, { headers: { Authorization: `Bearer ${token}` } })).status;

  test("gets no tokens for a code or a refresh token, and both work once it is resumed", async () => {
    const tokens = await client.connect(person);
    const authorization = await client.authorize(person);
    await suspend();
    const refused = [await client.refresh(tokens.refresh_token), await client.exchange(authorization)];
    expect(refused).toMatchObject([1, 2].map(() => ({ status: 400, json: { error: "invalid_grant" } })));
    expect(await userinfo(tokens.access_token)).toBe(401);
    await resume();
    expect(await userinfo(tokens.access_token)).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await client.exchange(authorization)).status).toBe(200);
  });

  test("is named on the page of consent, which leads nowhere but back", async () => {
    await suspend();
    const page = await signIn(await browser.open(client.authorizeUrl()));
    expect(textOf(page)).toContain("Your account is suspended");
    expect(textOf(page)).toContain(`The account ${person.account.email} is suspended.`);
    expect(page.html).not.toContain("A secret of");
    expect(page.forms[0]?.buttons.map(({ label }) => label)).toEqual([`Back to “${client.application.name}”`]);
    const forced = await browser.submit(page.forms[0], { account: person.account.id, decision: "allow" });
    expect(codeOf(forced)).toBeNull();
  });

  test("does not keep its people from their other accounts", async () => {
    const second = await pages.auth.createPerson({ user: person });
    await suspend();
    const page = await signIn(await browser.open(client.authorizeUrl()));
    expect(textOf(page)).toContain(`The account ${person.account.email} is suspended.`);
    expect(codeOf(await browser.submit(page.forms[0], {}, "Allow"))).not.toBeNull();
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toMatchObject([
      { accountId: second.account.id },
    ]);
  });

  test("is not signed in to without a question, though its consent is still there", async () => {
    const first = await signIn(await browser.open(client.authorizeUrl()));
    await browser.submit(first.forms[0], {}, "Allow");
    expect(codeOf(await browser.open(client.authorizeUrl({ prompt: "none" })))).not.toBeNull();
    await suspend();
    const { url } = await browser.open(client.authorizeUrl({ prompt: "none" }));
    expect(new URL(url).searchParams.get("error")).toBe("consent_required");
  });

  test("says so on the page of its people", async () => {
    await pages.signIn(browser, person);
    await suspend();
    expect(textOf(await browser.open("/account"))).toContain("Suspended");
    const firstKey = await browser.open(`/account/first-key/${person.account.id}`);
    expect([firstKey.status, textOf(firstKey).includes("Your account is suspended")]).toEqual([403, true]);
  });

  test("whose credentials an operator revokes has no key, session or refresh token left, and another account keeps its own", async () => {
    const other = await pages.auth.createPerson();
    const [tokens, kept] = [await client.connect(person), await client.connect(other)];
    await pages.signIn(browser, person);
    const { accounts } = pages.auth.platform;
    const create = { name: "A", permission: "admin", expiresAt: null } as const;
    const key = await accounts.apiKeys.create({ ...create, accountId: person.account.id });
    const revoked = await pages.auth.platform.transaction((services) =>
      revokeCredentials(services, { accountId: person.account.id }),
    );
    expect(revoked).toMatchObject({ apiKeys: 1, grants: 1 });
    expect((await accounts.apiKeys.get({ id: key.id, accountId: person.account.id }))?.revokedAt).not.toBeNull();
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
    expect(await userinfo(tokens.access_token)).toBe(401);
    expect(pathOf(await browser.open("/account"))).toBe("/sign-in");
    expect((await client.refresh(kept.refresh_token)).status).toBe(200);
  });
});
