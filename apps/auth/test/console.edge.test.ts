import { consoleApplication } from "@gateway/platform/accounts";
import { useAll } from "@gateway/testkit";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "./support/browser.ts";
import { consoleEnv, createConsoleClient } from "./support/console-client.ts";
import { enter } from "./support/factors.ts";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import { formAt, textOf } from "./support/pages.ts";
import { startTestAuth, type Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const scope = "openid email profile admin";

test("without its settings there is no console, also where there was one", async () => {
  const auth = await startTestAuth();
  await auth.platform.accounts.oauthApplications.registerConsole({ redirectUri: "http://localhost:8083/" });
  const page = await (await auth.openBrowser()).open(createConsoleClient(auth).authorizeUrl());
  expect(page).toMatchObject({ isElsewhere: false, status: 400, forms: [] });
  await auth.stop();
});

describe("the console", () => {
  const pages = usePages({ env: consoleEnv });
  let person: Person;
  let console: OauthClient;

  beforeAll(async () => {
    console = createConsoleClient(pages.auth);
  });
  beforeEach(async () => {
    person = await pages.auth.createPerson();
  });

  const findHolder = (accessToken: string) =>
    pages.auth.platform.accounts.grants.findHolder(String(decodeJwt(accessToken)["grant"]));
  const signedIn = async (who = person): Promise<Browser> => {
    const browser = pages.openBrowser();
    await pages.signIn(browser, who);
    return browser;
  };

  describe("is asked who it is", () => {
    test.each([
      ["without its secret", { client_secret: undefined }, 401],
      ["with another secret", { client_secret: consoleEnv.CONSOLE_CLIENT_SECRET.replace("3", "4") }, 401],
      ["with its secret", {}, 200],
    ])("%s", async (_name, form, status) => {
      const exchanged = await console.exchange(await console.authorize(person, { scope }), { form });
      expect(exchanged.status).toBe(status);
      const { refresh_token: token } = await console.connect(person, { scope });
      expect((await console.refresh(token, { form })).status).toBe(status);
      expect((await console.refresh(token)).status).toBe(200);
    });

    test("and every other application is refused with a secret, its own or the console's", async () => {
      const other = createOauthClient(pages.auth, await pages.auth.createApplication(person.account));
      const form = { client_secret: consoleEnv.CONSOLE_CLIENT_SECRET };
      const { status, json } = await other.exchange(await other.authorize(person), { form });
      expect({ status, error: json.error }).toEqual({ status: 401, error: "invalid_client" });
    });
  });

  describe("asks nobody whether it may", () => {
    test("a person of one account goes straight on, with all that their role allows", async () => {
      const member = await pages.auth.createPerson({ account: person.account, role: "member" });
      const browser = await signedIn(member);
      const { url, isElsewhere } = await browser.open(console.authorizeUrl({ scope }));
      expect({ isElsewhere, code: new URL(url).searchParams.get("code") }).toEqual({
        isElsewhere: true,
        code: expect.any(String),
      });
      const { access_token: token } = await console.connect(member, { scope, browser });
      expect(await findHolder(token)).toMatchObject({
        applicationId: consoleApplication.id,
        accountId: person.account.id,
        role: "member",
        permission: "admin",
        applicationOrigins: [],
      });
    });

    test("a person of several accounts says which one", async () => {
      const other = await pages.auth.createPerson();
      await pages.auth.createPerson({ account: other.account, role: "viewer", user: person });
      const browser = await signedIn();
      const page = await browser.open(console.authorizeUrl({ scope }));
      expect(textOf(page)).toContain("Which account?");
      expect(textOf(page)).not.toMatch(/Allow|registered by/);
      const { access_token: token } = await console.connect(person, { scope, browser, accountId: other.account.id });
      expect(decodeJwt(token)).toMatchObject({ account: other.account.id, client_id: "console" });
    });

    test("but an account whose owners need a second factor is entered with one", async () => {
      await pages.auth.database.kysely
        .updateTable("accounts")
        .set({ owners_need_second_factor: true })
        .where("id", "=", person.account.id)
        .execute();
      const page = await (await signedIn()).open(console.authorizeUrl({ scope }));
      expect(page.isElsewhere).toBe(false);
      expect(textOf(page)).toContain("second factor");
    });
  });

  describe("is nobody's", () => {
    test("no account lists it, changes it or deletes it", async () => {
      const { oauthApplications } = pages.auth.platform.accounts;
      const own = { id: consoleApplication.id, accountId: person.account.id };
      expect(
        (await oauthApplications.list({ accountId: person.account.id, limit: 100, cursor: undefined })).items,
      ).toEqual([]);
      expect(await oauthApplications.get(own)).toBeNull();
      expect(await oauthApplications.update({ ...own, name: "Mine" })).toBeNull();
      expect(
        await pages.auth.platform.transaction(({ accounts }) => accounts.oauthApplications.delete(own)),
      ).toBeNull();
      expect(await oauthApplications.findClient("console")).toMatchObject({ name: "Console", accountId: null });
    });

    test.each(["Console", "console", " C o n s o l e ", "Ｃｏｎｓｏｌｅ", "Cönsole", "-Console-"])(
      "no other is called %j",
      async (name) => {
        const taken = { code: "INVALID_REQUEST", details: [{ field: "name" }] };
        await expect(pages.auth.createApplication(person.account, { name })).rejects.toMatchObject(taken);
        const { id } = await pages.auth.createApplication(person.account);
        const update = { id, accountId: person.account.id, name };
        await expect(pages.auth.platform.accounts.oauthApplications.update(update)).rejects.toMatchObject(taken);
      },
    );

    test.each([
      [
        "has its id",
        "insert into oauth_applications select 'app_x', null, name, '{}', '{}', '{}', now() from oauth_applications limit 1",
      ],
      [
        "belongs to an account",
        "update oauth_applications set account_id = (select min(id) from accounts) where id = 'console'",
      ],
    ])("and the database holds it to that: none without an account but the one that %s", async (_name, statement) => {
      await expect(sql.raw(statement).execute(pages.auth.database.kysely)).rejects.toMatchObject({ code: "23514" });
    });

    test("it is not among the connected applications, for it goes with the device", async () => {
      const browser = await signedIn();
      await console.connect(person, { scope, browser });
      expect(textOf(await browser.open("/account"))).not.toContain("Console");
      await browser.submit(formAt(await browser.open("/sign-out"), "/sign-out"));
      const { items } = await pages.auth.platform.audit.list({
        accountId: person.account.id,
        limit: 100,
        cursor: undefined,
      });
      expect(items.filter(({ type }) => type.startsWith("grant."))).toEqual([]);
    });
  });

  describe("ends with the session", () => {
    test("of the browser that signs out, and another device's goes on", async () => {
      const [one, other] = [await signedIn(), await signedIn()];
      const ended = await console.connect(person, { scope, browser: one });
      const lasting = await console.connect(person, { scope, browser: other });
      await one.submit(formAt(await one.open("/sign-out"), "/sign-out"));
      expect(await findHolder(ended.access_token)).toBeNull();
      expect((await console.refresh(ended.refresh_token)).status).toBe(400);
      expect(await findHolder(lasting.access_token)).not.toBeNull();
    });

    test("that is ended from another device, with the change of the password, or forgotten", async () => {
      const connect = async () => (await console.connect(person, { scope, browser: await signedIn() })).access_token;
      const { auth, accounts } = pages.auth.platform;
      const remote = await connect();
      await auth.sessions.endAll({ userId: person.user.id, exceptId: null });
      expect(await findHolder(remote)).toBeNull();
      const old = await connect();
      await pages.auth.database.kysely.deleteFrom("sessions").where("user_id", "=", person.user.id).execute();
      expect(await findHolder(old)).toBeNull();
      expect(await accounts.grants.listOfUser(person.user.id)).toEqual([]);
    });

    test("and one that ended meanwhile gets no grant that counts", async () => {
      const { platform } = pages.auth;
      const { id: userId } = person.user;
      const sessionId = await enter(pages, pages.openBrowser(), { userId, method: "password" });
      await platform.auth.sessions.end({ sessionId, userId });
      const grant = { id: `late-${userId}`, userId, accountId: person.account.id, applicationId: "console" };
      await platform.accounts.grants.create({ ...grant, permission: "admin", sessionId });
      expect(await platform.accounts.grants.findHolder(grant.id)).toBeNull();
    });

    test("but who signs in again as the same person stays in the same account, and another person does not", async () => {
      const browser = await signedIn();
      const { access_token: token } = await console.connect(person, { scope, browser });
      const again = await console.connect(person, { scope, browser });
      const fresh = await stepUp(browser, { prompt: "login" });
      const grants = [token, again.access_token, fresh].map((each) => decodeJwt(each)["grant"]);
      expect(new Set(grants).size).toBe(1);
      const { user, password } = await pages.auth.createPerson();
      const { forms } = await browser.open(console.authorizeUrl({ scope, prompt: "login" }));
      await browser.submit(
        forms.find(({ inputs }) => inputs.includes("password")),
        { email: user.email, password },
      );
      expect(await findHolder(token)).toBeNull();
    });
  });

  /** To the console, once more: the access token of it. */
  async function stepUp(browser: Browser, parameters: Record<string, string>): Promise<string> {
    const page = await browser.open(console.authorizeUrl({ scope, code_challenge: challenge, ...parameters }));
    const form = page.forms.find(({ inputs }) => inputs.includes("password"));
    const { url } = form ? await browser.submit(form, { email: person.user.email, password: person.password }) : page;
    const code = new URL(url).searchParams.get("code") ?? "";
    const { json } = await console.exchange({ code, verifier, url: new URL(url), browser });
    return json.access_token;
  }
});

/** RFC 7636, appendix B. */
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

describe("auth_time of an access token", () => {
  const pages = usePages({ env: consoleEnv });
  const person = useAll(() => pages.auth.createPerson());
  let client: OauthClient;

  beforeAll(async () => {
    client = createConsoleClient(pages.auth);
  });

  test("is when the person signed in, and a refresh never renews it", async () => {
    const signedInAt = Math.floor(pages.clock.now() / 1000);
    const { access_token: first, refresh_token: refreshToken } = await client.connect(person, { scope });
    const proven = { auth_time: signedInAt, amr: ["pwd"] };
    expect(decodeJwt(first)).toMatchObject(proven);
    pages.clock.advance(10 * 60_000);
    const { json } = await client.refresh(refreshToken);
    expect(decodeJwt(json.access_token)).toMatchObject({ ...proven, iat: signedInAt + 600 });
    pages.clock.advance(10 * 60_000);
    const again = await client.refresh(json.refresh_token);
    expect(decodeJwt(again.json.access_token)).toMatchObject({ ...proven, iat: signedInAt + 1200 });
  });

  test("says with acr that two factors were proved", async () => {
    const browser = pages.openBrowser();
    await enter(pages, browser, { userId: person.user.id, method: "passkey" });
    const { access_token: token } = await client.connect(person, { scope, browser });
    expect(decodeJwt(token)).toMatchObject({ acr: "https://refeds.org/profile/mfa", amr: ["hwk", "user", "mfa"] });
  });

  test.each([
    [299, false],
    [301, true],
  ])("with max_age=300 and a sign-in of %i s ago the person is asked again: %j", async (ageSeconds, isAsked) => {
    const at = new Date(pages.clock.now() - ageSeconds * 1000);
    const browser = pages.openBrowser();
    const id = await enter(pages, browser, { userId: person.user.id, method: "password" });
    await pages.auth.database.kysely
      .updateTable("sessions")
      .set({ authenticated_at: at })
      .where("id", "=", id)
      .execute();
    const url = client.authorizeUrl({ scope, max_age: "300", code_challenge: challenge });
    const page = await browser.open(url);
    expect(page.isElsewhere).toBe(!isAsked);
    const form = page.forms.find(({ inputs }) => inputs.includes("password"));
    const last = form ? await browser.submit(form, { email: person.user.email, password: person.password }) : page;
    const code = new URL(last.url).searchParams.get("code") ?? "";
    const { json } = await client.exchange({ code, verifier, url: new URL(last.url), browser });
    const expected = isAsked ? pages.clock.now() : at.getTime();
    expect(decodeJwt(json.access_token)).toMatchObject({ auth_time: Math.floor(expected / 1000) });
  });
});
