import { beforeEach, describe, expect, test } from "vitest";
import { formAt, goodPassword, pathOf, textOf } from "./support/pages.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { HtmlForm } from "./support/html-form.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const minuteMs = 60_000;
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0";

describe("the page of the account", () => {
  const pages = usePages();
  let person: Person;
  let here: Browser;

  beforeEach(async () => {
    person = await pages.auth.createPerson();
    here = pages.openBrowser();
    await pages.signIn(here, person);
  });

  const signInElsewhere = async (userAgent = firefox): Promise<Browser> => {
    const browser = pages.openBrowser({ userAgent, address: "203.0.113.80" });
    await pages.signIn(browser, person);
    return browser;
  };
  const isSignedIn = async (browser: Browser): Promise<boolean> =>
    pathOf(await browser.open("/account")) === "/account";
  const endings = (page: BrowserPage): HtmlForm[] =>
    page.forms.filter(({ action }) => action === "/account/sessions/end");

  test("names every signed-in device and its address, and marks this one", async () => {
    await signInElsewhere();
    const text = textOf(await here.open("/account"));
    expect(text).toContain("Firefox on Windows");
    expect(text).toContain("203.0.113.80");
    expect(text.match(/This device/g)).toHaveLength(1);
  });

  test("signs one device out, and leaves the others", async () => {
    const [one, two] = [await signInElsewhere(), await signInElsewhere()];
    const page = await here.open("/account");
    expect(endings(page)).toHaveLength(2);
    const after = await here.submit(endings(page)[0]);
    expect(textOf(after)).toContain("That device is signed out.");
    expect((await Promise.all([one, two].map(isSignedIn))).filter(Boolean)).toHaveLength(1);
    expect(await isSignedIn(here)).toBe(true);
  });

  test("signs all others out at once", async () => {
    const others = [await signInElsewhere(), await signInElsewhere()];
    await here.submit(formAt(await here.open("/account"), "/account/sessions/end-others"));
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    expect(await isSignedIn(here)).toBe(true);
  });

  test("never ends a session or disconnects an application of somebody else", async () => {
    const somebody = await pages.auth.createPerson();
    const theirs = pages.openBrowser();
    await pages.signIn(theirs, somebody);
    const [session] = await pages.auth.platform.auth.sessions.listOfUser(somebody.user.id);
    await signInElsewhere();
    await here.submit(endings(await here.open("/account"))[0], { session: session?.id ?? "" });
    expect(await isSignedIn(theirs)).toBe(true);
    const application = await pages.auth.createApplication(somebody.account);
    const client = createOauthClient(pages.auth, application);
    await client.connect(somebody, { browser: pages.openBrowser() });
    const [grant] = await pages.auth.platform.accounts.grants.listOfUser(somebody.user.id);
    const form = { ...endings(await here.open("/account"))[0], action: "/account/applications/disconnect" };
    await here.submit(form as HtmlForm, { grant: grant?.grantId ?? "" });
    expect(await pages.auth.platform.accounts.grants.listOfUser(somebody.user.id)).toHaveLength(1);
  });

  test("names connected applications, and disconnects one: its tokens are dead", async () => {
    const application = await pages.auth.createApplication(person.account, { name: "<b>Ledger</b> viewer" });
    const client = createOauthClient(pages.auth, application);
    const tokens = await client.connect(person, { browser: pages.openBrowser() });
    const page = await here.open("/account");
    expect(page.html).toContain("&lt;b&gt;Ledger&lt;/b&gt; viewer");
    const after = await here.submit(formAt(page, "/account/applications/disconnect"));
    expect(textOf(after)).toContain("No application acts for you.");
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
  });

  test("signing out ends the session for whoever kept its cookie, and a link alone does not", async () => {
    const kept = here.cookies.get("session") ?? "";
    const page = await here.open("/sign-out");
    expect(await isSignedIn(here)).toBe(true);
    expect(textOf(await here.submit(page.forms[0]))).toContain("You are signed out in this browser.");
    const thief = pages.openBrowser();
    (thief.cookies as Map<string, string>).set("session", kept);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("what protects the account needs a sign-in of the last 15 minutes, and comes back after one", async () => {
    pages.clock.advance(15 * minuteMs - 1);
    const open = await here.open("/account/password");
    expect(pathOf(open)).toBe("/account/password");
    pages.clock.advance(1);
    const refused = await here.submit(formAt(open, "/account/password"), {
      password: person.password,
      "new-password": goodPassword,
    });
    expect(pathOf(refused)).toBe("/sign-in/again");
    const wrong = await here.submit(refused.forms[0], { password: "not the password" });
    expect(wrong.status).toBe(422);
    const back = await here.submit(wrong.forms[0], { password: person.password });
    expect(pathOf(back)).toBe("/account/password");
  });

  test("signing in again takes no other user's password", async () => {
    const somebody = await pages.auth.createPerson();
    const page = await here.fill("/sign-in/again", { email: somebody.user.email, password: somebody.password });
    expect(page.status).toBe(422);
  });

  test("a changed password ends all other sessions, keeps this one and applications, and is told by mail", async () => {
    const other = await signInElsewhere();
    const application = await pages.auth.createApplication(person.account);
    await createOauthClient(pages.auth, application).connect(person, { browser: pages.openBrowser() });
    const after = await here.fill("/account/password", { password: person.password, "new-password": goodPassword });
    expect(textOf(after)).toContain("Your password is changed");
    expect([await isSignedIn(other), await isSignedIn(here)]).toEqual([false, true]);
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toHaveLength(1);
    expect((await pages.mailsTo(person.user.email)).map(({ kind }) => kind)).toEqual(["password_changed"]);
    expect(pathOf(await pages.signIn(pages.openBrowser(), { ...person, password: goodPassword }))).toBe("/account");
    expect((await pages.signIn(pages.openBrowser(), person)).status).toBe(422);
  });

  test("a changed password disconnects applications when it is told to", async () => {
    const application = await pages.auth.createApplication(person.account);
    await createOauthClient(pages.auth, application).connect(person, { browser: pages.openBrowser() });
    const values = { password: person.password, "new-password": goodPassword, disconnect: "yes" };
    await here.fill("/account/password", values);
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toEqual([]);
  });

  test.each([
    ["a wrong current password", { password: "not the password", "new-password": goodPassword }],
    ["a new one that is too short", { "new-password": "hgqvzuwplkd" }],
    ["a new one that is the address", {}],
  ])("%s changes nothing", async (_what, values) => {
    const sent = { password: person.password, "new-password": person.user.email, ...values };
    expect((await here.fill("/account/password", sent)).status).toBe(422);
    expect(pathOf(await pages.signIn(pages.openBrowser(), person))).toBe("/account");
    expect(await pages.mailsTo(person.user.email)).toEqual([]);
  });
});

describe("a forgotten password", () => {
  const pages = usePages();

  const askForLink = async (person: Person): Promise<string> => {
    const browser = pages.openBrowser();
    await browser.fill("/password/forgotten", { email: person.user.email });
    return pages.linkTo(person.user.email);
  };

  test("is replaced through the mailed link: signed in here, out everywhere else, applications stay", async () => {
    const person = await pages.auth.createPerson();
    const application = await pages.auth.createApplication(person.account);
    await createOauthClient(pages.auth, application).connect(person, { browser: pages.openBrowser() });
    const other = pages.openBrowser();
    await pages.signIn(other, person);
    const browser = pages.openBrowser();
    const after = await browser.fill(await askForLink(person), { "new-password": goodPassword });
    expect(textOf(after)).toContain("Your password is changed");
    expect(pathOf(await other.open("/account"))).toBe("/sign-in");
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toHaveLength(1);
    expect((await pages.mailsTo(person.user.email)).map(({ kind }) => kind)).toEqual([
      "password_reset",
      "password_changed",
    ]);
    expect((await pages.signIn(pages.openBrowser(), person)).status).toBe(422);
  });

  test("a link that is used ends the links before it", async () => {
    const person = await pages.auth.createPerson();
    const [first, second] = [await askForLink(person), await askForLink(person)];
    expect((await pages.openBrowser().open(first)).status).toBe(200);
    expect(pathOf(await pages.openBrowser().fill(second, { "new-password": goodPassword }))).toBe("/account");
    expect((await pages.openBrowser().open(first)).status).toBe(410);
  });

  test("disconnects applications too when it is told to", async () => {
    const person = await pages.auth.createPerson();
    const application = await pages.auth.createApplication(person.account);
    await createOauthClient(pages.auth, application).connect(person, { browser: pages.openBrowser() });
    const browser = pages.openBrowser();
    await browser.fill(await askForLink(person), { "new-password": goodPassword, disconnect: "yes" });
    expect(await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).toEqual([]);
  });
});
