import { createTestClock, useAll } from "@gateway/testkit";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { answerQuestions, createOauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

describe("authorize requests ask", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ clock });
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));

  describe("sign-in", () => {
    test("who is signed in with a page of ours is not asked again", async () => {
      const browser = await auth.openBrowser();
      await browser.fill("/sign-in", { email: person.user.email, password: person.password });
      const { forms } = await browser.open(client.authorizeUrl({ scope: "profile" }));
      expect(forms.flatMap(({ inputs }) => inputs)).not.toContain("password");
    });

    test("prompt=none answers login_required to a browser that nobody is signed in with", async () => {
      const { url } = await (await auth.openBrowser()).open(client.authorizeUrl({ prompt: "none" }));
      expect(new URL(url).searchParams.get("error")).toBe("login_required");
    });

    test("prompt=none answers a code when nothing is left to ask, and consent_required otherwise", async () => {
      const { browser } = await client.authorize(person, { scope: "openid read" });
      const silent = async (scope: string) =>
        new URL((await browser.open(client.authorizeUrl({ prompt: "none", scope }))).url).searchParams;
      expect((await silent("openid read")).get("code")).toEqual(expect.any(String));
      const fresh = await auth.createApplication(person.account, { name: "Never allowed" });
      const never = createOauthClient(auth, fresh);
      const answer = new URL((await browser.open(never.authorizeUrl({ prompt: "none" }))).url).searchParams;
      expect(answer.get("error")).toBe("consent_required");
    });

    test("prompt=login asks who is signed in already", async () => {
      const { browser } = await client.authorize(person);
      const page = await browser.open(client.authorizeUrl({ prompt: "login" }));
      expect(page.forms.flatMap(({ inputs }) => inputs)).toContain("password");
      const last = await answerQuestions(browser, page, { person });
      expect(new URL(last.url).searchParams.get("code")).toEqual(expect.any(String));
    });

    test("max_age asks when the sign-in is older, and not before", async () => {
      const { browser } = await client.authorize(person);
      const again = async (maxAge: string) => browser.open(client.authorizeUrl({ max_age: maxAge }));
      expect((await again("3600")).isElsewhere).toBe(true);
      expect((await again("0")).forms.flatMap(({ inputs }) => inputs)).toContain("password");
    });

    test("a browser whose session was ended is asked again, although the library remembers it", async () => {
      const { browser } = await client.authorize(person);
      expect((await browser.open(client.authorizeUrl())).isElsewhere).toBe(true);
      await auth.platform.auth.sessions.endAll({ userId: person.user.id, exceptId: null });
      const { forms } = await browser.open(client.authorizeUrl());
      expect(forms.flatMap(({ inputs }) => inputs)).toContain("password");
    });

    test("another user can sign in with the same browser, and gets their own tokens", async () => {
      const other = await auth.createPerson();
      const { browser } = await client.authorize(person);
      const page = await browser.open(client.authorizeUrl({ prompt: "login" }));
      const last = await answerQuestions(browser, page, { person: other });
      expect(last.isElsewhere).toBe(true);
      const { browser: sameBrowser, ...rest } = await client.authorize(other, { browser });
      expect(sameBrowser).toBe(browser);
      const { json } = await client.exchange({ ...rest, browser });
      expect(decodeJwt(json.access_token)).toMatchObject({ sub: other.user.id, account: other.account.id });
    });

    test("an ID token hint of another user asks for that user", async () => {
      const other = await auth.createPerson();
      const { id_token: hint } = await client.connect(other);
      const { browser } = await client.authorize(person);
      const page = await browser.open(client.authorizeUrl({ id_token_hint: hint }));
      expect(page.forms.flatMap(({ inputs }) => inputs)).toContain("password");
    });

    test("an interaction that another browser began is over for this one", async () => {
      const { url } = await (await auth.openBrowser()).open(client.authorizeUrl());
      const { status, forms } = await (await auth.openBrowser()).open(url);
      expect({ status, forms }).toEqual({ status: 400, forms: [] });
    });

    test("two tabs of one browser do not disturb one another", async () => {
      const newcomer = await auth.createPerson();
      const browser = await auth.openBrowser();
      const one = await browser.open(client.authorizeUrl({ state: "one" }));
      const other = await browser.open(client.authorizeUrl({ state: "other" }));
      const first = await answerQuestions(browser, one, { person: newcomer });
      const second = await answerQuestions(browser, await browser.open(other.url), { person: newcomer });
      expect([first, second].map(({ url }) => new URL(url).searchParams.get("state"))).toEqual(["one", "other"]);
    });
  });

  describe("consent", () => {
    test("Deny tells the application access_denied, and nothing is granted", async () => {
      const newcomer = await auth.createPerson();
      const browser = await auth.openBrowser();
      const question = await browser.fill(client.authorizeUrl(), {
        email: newcomer.user.email,
        password: newcomer.password,
      });
      const form = question.forms.find(({ buttons }) => buttons.some(({ label }) => label === "Deny"));
      const { url } = await browser.submit(form, {}, "Deny");
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
        error: "access_denied",
        state: "st_1",
        iss: auth.origin,
      });
      expect(await auth.platform.accounts.grants.listOfUser(newcomer.user.id)).toEqual([]);
    });

    test("is asked once for what it covers, again for more, and is one connected application", async () => {
      const newcomer = await auth.createPerson();
      const { browser } = await client.authorize(newcomer, { scope: "openid read" });
      const ask = async (scope: string) => browser.open(client.authorizeUrl({ scope }));
      expect((await ask("openid")).isElsewhere).toBe(true);
      const more = await ask("openid write");
      expect(more.isElsewhere).toBe(false);
      await answerQuestions(browser, more, { person: newcomer });
      expect((await ask("openid read write")).isElsewhere).toBe(true);
      expect(await auth.platform.accounts.grants.listOfUser(newcomer.user.id)).toHaveLength(1);
    });

    test.each(["http://127.0.0.1:3000/callback", "http://[::1]:3000/callback", "http://localhost:3000/callback"])(
      "is asked each time for %s, where any program may listen",
      async (redirectUri) => {
        const native = createOauthClient(
          auth,
          await auth.createApplication(person.account, { redirectUris: [redirectUri] }),
        );
        const { browser } = await native.authorize(person);
        expect((await browser.open(native.authorizeUrl())).isElsewhere).toBe(false);
        const { url } = await browser.open(native.authorizeUrl({ prompt: "none" }));
        expect(new URL(url).searchParams.get("error")).toBe("consent_required");
        await native.authorize(person, { browser });
        expect(await auth.platform.accounts.grants.listOfUser(person.user.id)).toContainEqual(
          expect.objectContaining({ applicationId: native.application.id }),
        );
      },
    );

    test("is remembered in another browser", async () => {
      const newcomer = await auth.createPerson();
      await client.authorize(newcomer);
      const browser = await auth.openBrowser();
      const { isElsewhere } = await browser.fill(client.authorizeUrl(), {
        email: newcomer.user.email,
        password: newcomer.password,
      });
      expect(isElsewhere).toBe(true);
    });

    test("is asked again after the application was disconnected", async () => {
      const newcomer = await auth.createPerson();
      const { browser } = await client.authorize(newcomer);
      await auth.platform.accounts.grants.revokeAll({ userId: newcomer.user.id });
      expect((await browser.open(client.authorizeUrl())).isElsewhere).toBe(false);
    });

    test("goes for the account that the user chooses among theirs", async () => {
      const host = await auth.createPerson();
      const guest = await auth.createPerson();
      await auth.createPerson({ account: host.account, role: "viewer", user: guest });
      const inHost = await client.connect(guest, { accountId: host.account.id });
      const inOwn = await client.connect(guest, { accountId: guest.account.id });
      // The first grant was the only one, so the second request did not ask the user.
      expect([inHost, inOwn].map((tokens) => decodeJwt(tokens.access_token)["account"])).toEqual([
        host.account.id,
        host.account.id,
      ]);
      const browser = await auth.openBrowser();
      const page = await browser.open(client.authorizeUrl({ prompt: "consent" }));
      await answerQuestions(browser, page, { person: guest, accountId: guest.account.id });
      expect(
        (await auth.platform.accounts.grants.listOfUser(guest.user.id)).map(({ accountId }) => accountId).toSorted(),
      ).toEqual([host.account.id, guest.account.id].toSorted());
    });
  });
});
