import type { OauthApplication, Scope } from "@gateway/platform/accounts";
import { useAll } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { csrfOf, formAt, goodPassword, pathOf, textOf } from "./support/pages.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

describe("what an application asks", () => {
  const pages = usePages();
  const registrar = useAll(() => pages.auth.createPerson());
  const client = useAll(async () =>
    createOauthClient(pages.auth, await pages.auth.createApplication(registrar.account)),
  );
  let person: Person;
  let browser: Browser;

  beforeEach(async () => {
    person = await pages.auth.createPerson();
    browser = pages.openBrowser();
  });

  const signIn = (page: BrowserPage): Promise<BrowserPage> =>
    browser.submit(page.forms[0], { email: person.user.email, password: person.password });
  const askFor = async (scopes: Scope[], registered: Scope[]): Promise<string> => {
    const application: OauthApplication = await pages.auth.createApplication(registrar.account, {
      scopes: registered,
    });
    const asking = createOauthClient(pages.auth, application);
    return textOf(await signIn(await browser.open(asking.authorizeUrl({ scope: scopes.join(" ") }))));
  };

  test("the sign-in names the application, and fills in the address that it knows", async () => {
    const page = await browser.open(client.authorizeUrl({ login_hint: person.user.email }));
    expect(textOf(page)).toContain(`to continue to “${client.application.name}”`);
    expect(page.forms[0]?.values).toContainEqual(["email", person.user.email]);
  });

  test("a hostile name or hint stays text", async () => {
    const name = '<img src=x onerror=alert(1)>"';
    const application = await pages.auth.createApplication(registrar.account, { name });
    const page = await browser.open(
      createOauthClient(pages.auth, application).authorizeUrl({ login_hint: '"><script>' }),
    );
    const consent = await signIn(page);
    for (const { html } of [page, consent]) {
      expect(html).not.toMatch(/<img|"><script>/);
      expect(html).toContain("&lt;img");
    }
  });

  test("a name of before that hides something shows it, and stands in quotes", async () => {
    const application = await pages.auth.createApplication(registrar.account);
    await pages.auth.database.kysely
      .updateTable("oauth_applications")
      .set({ name: "Bank\u202e.\u200b" })
      .where("id", "=", application.id)
      .execute();
    const page = await signIn(await browser.open(createOauthClient(pages.auth, application).authorizeUrl()));
    expect(page.html).toContain("Allow “Bank\ufffd.\ufffd”?");
    expect(page.html).not.toMatch(/[\u202e\u200b]/);
  });

  test("consent names the application, who registered it, what it asks in words, and the account", async () => {
    const page = await signIn(await browser.open(client.authorizeUrl()));
    const text = textOf(page);
    expect(text).toContain(`“${client.application.name}” , registered by ${registrar.account.email}, asks to:`);
    for (const words of ["Know that it is you", "See your e-mail address", "See your name", "make changes"]) {
      expect(text).toContain(words);
    }
    expect(text).toContain(person.account.email);
  });

  test.each<[string, Scope[], Scope[], string]>([
    ["read", ["openid", "read"], ["openid", "read"], "See everything in your account: wallets"],
    ["admin", ["openid", "admin"], ["openid", "read", "write", "admin"], "Manage your account"],
    ["nothing, of one that may write", ["openid"], ["openid", "write"], "See everything in your account: wallets"],
    ["nothing, of one that may read", ["openid"], ["openid", "read"], "See everything in your account: wallets"],
  ])("what an application that asks for %s gets is what is said", async (_what, scopes, registered, words) => {
    expect(await askFor(scopes, registered)).toContain(words);
  });

  test("an application that gets no permission says nothing of the account's things", async () => {
    expect(await askFor(["openid", "email"], ["openid", "email"])).not.toContain("your account:");
  });

  test("what is kept is what was said: an application that changes meanwhile is asked about again", async () => {
    const application = await pages.auth.createApplication(registrar.account, { scopes: ["openid"] });
    const asking = createOauthClient(pages.auth, application);
    const page = await signIn(await browser.open(asking.authorizeUrl({ scope: "openid" })));
    expect(textOf(page)).not.toContain("See everything");
    await pages.auth.platform.accounts.oauthApplications.update({
      id: application.id,
      accountId: registrar.account.id,
      scopes: ["openid", "admin"],
    });
    const again = await browser.submit(page.forms[0], {}, "Allow");
    expect(again.isElsewhere).toBe(false);
    expect(textOf(again)).toContain("permissions of the application have changed");
    expect(textOf(again)).toContain("See everything");
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toEqual([]);
    const { isElsewhere } = await browser.submit(again.forms[0], {}, "Allow");
    expect(isElsewhere).toBe(true);
  });

  test("of 22 tabs that wait for a sign-in the twenty newest go on, in any of them", async () => {
    const tabs: BrowserPage[] = [];
    for (let count = 0; count < 22; count += 1) {
      tabs.push(await browser.open(client.authorizeUrl()));
    }
    const opened = await Promise.all(tabs.map(({ url }) => browser.open(url)));
    expect(opened.map(({ status }) => status)).toEqual([400, 400, ...Array.from({ length: 20 }, () => 200)]);
    const third = await signIn(opened[2] as BrowserPage);
    expect(textOf(third)).toContain("asks to:");
  });

  test("the right password in a tab that was open before somebody signed in beside it goes on with who is there", async () => {
    const [first, second] = [await browser.open(client.authorizeUrl()), await browser.open(client.authorizeUrl())];
    const own = await browser.open("/sign-in");
    await signIn(second);
    expect(textOf(await signIn(first))).toContain("asks to:");
    expect(pathOf(await signIn(own))).toBe("/account");
    const foreign = pages.openBrowser();
    const other = await foreign.open("/sign-in");
    // A form of another browser stays refused, and so does one that changes something.
    expect((await browser.submit(other.forms[0], { email: person.user.email, password: person.password })).status).toBe(
      403,
    );
  });

  test("whoever is in several accounts chooses one, and none but those", async () => {
    const second = await pages.auth.createPerson({ user: person });
    const foreign = await pages.auth.createPerson();
    const page = await signIn(await browser.open(client.authorizeUrl()));
    expect(page.html.match(/type="radio"/g)).toHaveLength(2);
    const refused = await browser.submit(page.forms[0], { account: foreign.account.id }, "Allow");
    expect(textOf(refused)).toContain("Choose one of your accounts.");
    const done = await browser.submit(refused.forms[0], { account: second.account.id }, "Allow");
    expect(new URL(done.url).searchParams.get("code")).not.toBeNull();
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toEqual([
      expect.objectContaining({ accountId: second.account.id }),
    ]);
  });

  test("whoever is in no account is told so, and can only go back", async () => {
    const email = `lonely-${Date.now()}@example.com`;
    await pages.signUp(browser, email, goodPassword);
    await pages.auth.database.kysely.deleteFrom("people").where("email", "=", email).execute();
    const page = await browser.open(client.authorizeUrl());
    expect(textOf(page)).toContain("You do not belong to an account");
    expect(page.forms[0]?.buttons.map(({ label }) => label)).toEqual([`Back to “${client.application.name}”`]);
    const { url } = await browser.submit(page.forms[0]);
    expect(new URL(url).searchParams.get("error")).toBe("access_denied");
  });

  test("an account is chosen by its name, with its address beside it", async () => {
    await pages.auth.platform.accounts.rename({ id: person.account.id, name: "Analytical <Engines>" });
    const one = await signIn(await browser.open(client.authorizeUrl()));
    expect(textOf(one)).toContain(`Analytical &lt;Engines&gt; (${person.account.email})`);
    await pages.auth.createPerson({ user: person });
    const several = await browser.open(one.url);
    expect(textOf(several)).toContain(`Analytical &lt;Engines&gt; (${person.account.email})`);
  });

  test("consent shows the logo and the website, and the browser may load the logo from its origin alone", async () => {
    const application = await pages.auth.createApplication(registrar.account);
    const own = { id: application.id, accountId: registrar.account.id };
    const logoUri = "https://cdn.example.com/logo.svg?a=1&b=2";
    const websiteUrl = "https://www.example.com/about";
    await pages.auth.platform.accounts.oauthApplications.update({ ...own, logoUri, websiteUrl });
    const question = await browser.open(createOauthClient(pages.auth, application).authorizeUrl());
    expect(question.headers.get("Content-Security-Policy")).toContain("img-src 'self';");
    const page = await signIn(question);
    expect(page.headers.get("Content-Security-Policy")).toContain("img-src 'self' https://cdn.example.com;");
    expect(page.html).toContain('<img class="logo" src="https://cdn.example.com/logo.svg?a=1&amp;b=2" alt=""');
    expect(page.html).toMatch(/<a href="https:\/\/www\.example\.com\/about" target="_blank" rel="noopener noreferrer"/);
    await pages.auth.platform.accounts.oauthApplications.update({ ...own, logoUri: null, websiteUrl: null });
    const without = await browser.open(page.url);
    expect(without.headers.get("Content-Security-Policy")).toContain("img-src 'self';");
    expect(without.html).not.toMatch(/<img|target="_blank"/);
  });

  test("another account: the request stays, the user before is signed out here, and what is consented to is the other's", async () => {
    const somebody = await pages.auth.createPerson();
    const parameters = { state: "kept", nonce: "kept-too", scope: "openid email read" };
    const page = await signIn(await browser.open(client.authorizeUrl(parameters)));
    const again = await browser.submit(formAt(page, new URL(page.url).pathname.concat("/switch")));
    expect(textOf(again)).toContain(`to continue to “${client.application.name}”`);
    expect(await pages.auth.platform.auth.sessions.listOfUser(person.user.id)).toEqual([]);
    const { user, password } = somebody;
    const consent = await browser.submit(again.forms[0], { email: user.email, password });
    expect(textOf(consent)).toContain(`Signed in as ${user.email}`);
    const { url } = await browser.submit(consent.forms[0], {}, "Allow");
    expect(new URL(url).searchParams.get("state")).toBe("kept");
    expect(await pages.auth.platform.accounts.grants.listOfUser(user.id)).toHaveLength(1);
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toEqual([]);
  });

  test("another account: the same user may sign in again, and goes on", async () => {
    const page = await signIn(await browser.open(client.authorizeUrl({ prompt: "login" })));
    const again = await browser.submit(formAt(page, new URL(page.url).pathname.concat("/switch")));
    const { isElsewhere } = await browser.submit((await signIn(again)).forms[0], {}, "Allow");
    expect(isElsewhere).toBe(true);
  });

  test("whoever signs up on the way comes back to the application", async () => {
    const email = `on-the-way-${Date.now()}@example.com`;
    const page = await browser.open(client.authorizeUrl());
    const signUp = await browser.open(/href="(\/sign-up\?next=[^"]+)"/.exec(page.html)?.[1] ?? "");
    await browser.submit(signUp.forms[0], { email });
    const consent = await browser.fill(await pages.linkTo(email), { name: "Somebody", "new-password": goodPassword });
    expect(textOf(consent)).toContain(`Allow “${client.application.name}”?`);
    const { url } = await browser.submit(consent.forms[0], {}, "Allow");
    expect(new URL(url).searchParams.get("code")).not.toBeNull();
  });

  test("whoever finishes in another browser is signed in there, and sent back to the application", async () => {
    const email = `elsewhere-${Date.now()}@example.com`;
    const page = await browser.open(client.authorizeUrl());
    const signUp = await browser.open(/href="(\/sign-up\?next=[^"]+)"/.exec(page.html)?.[1] ?? "");
    await browser.submit(signUp.forms[0], { email });
    const phone = pages.openBrowser();
    const after = await phone.fill(await pages.linkTo(email), { name: "Somebody", "new-password": goodPassword });
    expect([after.status, pathOf(after).startsWith("/interaction/")]).toEqual([400, true]);
    expect(textOf(after)).toContain("Go back to the application");
    expect(pathOf(await phone.open("/account"))).toBe("/account");
  });

  test("a consent that another user left open is not answered for them", async () => {
    const consent = await signIn(await browser.open(client.authorizeUrl()));
    const somebody = await pages.auth.createPerson();
    await browser.fill("/sign-out");
    await pages.signIn(browser, somebody);
    const token = csrfOf(await browser.open("/sign-out"));
    const answer = await browser.submit(consent.forms[0], { csrf: token, account: somebody.account.id }, "Allow");
    expect([answer.isElsewhere, answer.status]).toEqual([false, 400]);
    const shown = await browser.open(`/interaction/${consent.url.split("/").at(-1)}`);
    expect(shown.html).not.toContain(person.user.email);
  });

  test("the forms may end at the application's addresses, and at no others", async () => {
    const redirectUris = ["https://one.example/callback", "http://127.0.0.1:7777/back", "http://[::1]:7777/back"];
    const application = await pages.auth.createApplication(registrar.account, { redirectUris });
    const page = await browser.open(createOauthClient(pages.auth, application).authorizeUrl());
    const consent = await signIn(page);
    for (const { headers } of [page, consent]) {
      expect(headers.get("Content-Security-Policy")).toContain(
        "form-action 'self' https://one.example http://127.0.0.1:7777 http:;",
      );
    }
    expect((await browser.open("/sign-up")).headers.get("Content-Security-Policy")).toContain("form-action 'self';");
    expect(formAt(consent, new URL(consent.url).pathname.concat("/consent"))).toBeDefined();
  });
});
