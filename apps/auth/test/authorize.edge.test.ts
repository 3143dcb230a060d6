import { createTestClock, useAll } from "@gateway/testkit";
import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { answerQuestions, createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

describe("authorize requests", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ clock });
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));

  /** With a browser that the person is signed in with. */
  const open = async (parameters: Record<string, string | undefined>): Promise<URLSearchParams> => {
    const { url } = await (await auth.openBrowser(person)).open(client.authorizeUrl(parameters));
    return new URL(url).searchParams;
  };

  describe("scopes", () => {
    let reader: OauthClient;
    beforeAll(async () => {
      const application = await auth.createApplication(person.account, {
        scopes: ["openid", "read"],
        name: "Reader",
      });
      reader = createOauthClient(auth, application);
    });

    test("one that the application is not registered for is refused, and named", async () => {
      const browser = await auth.openBrowser(person);
      const { url } = await browser.open(reader.authorizeUrl({ scope: "openid read admin" }));
      const answer = new URL(url).searchParams;
      expect(Object.fromEntries(answer)).toMatchObject({ error: "invalid_scope", scope: "admin", state: "st_1" });
    });

    test.each([undefined, "", "offline_access", "unheard of"])("%j asks for nothing, and is refused", async (scope) => {
      expect((await open({ scope })).get("error")).toBe("invalid_scope");
    });

    test("those that nobody knows are ignored, and offline_access, for refresh tokens come always", async () => {
      const tokens = await client.connect(person, { scope: "openid read offline_access something:else" });
      expect(tokens).toMatchObject({ scope: "openid read", refresh_token: expect.any(String) });
    });

    test("without openid there is no ID token", async () => {
      const tokens = await client.connect(person, { scope: "read" });
      expect(tokens.id_token).toBeUndefined();
    });

    test("without email and profile the ID token tells neither", async () => {
      const claims = decodeJwt(String((await client.connect(person, { scope: "openid" })).id_token));
      expect(Object.keys(claims)).not.toContain("email");
      expect(Object.keys(claims)).not.toContain("name");
    });

    test("an application that is registered for less afterwards gets less at its next refresh", async () => {
      const application = await auth.createApplication(person.account, { name: "Shrinking" });
      const shrinking = createOauthClient(auth, application);
      const tokens = await shrinking.connect(person, { scope: "openid write" });
      await auth.platform.accounts.oauthApplications.update({
        id: application.id,
        accountId: person.account.id,
        scopes: ["openid", "read"],
      });
      expect(await shrinking.refresh(tokens.refresh_token)).toMatchObject({ status: 200, json: { scope: "openid" } });
    });
  });

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

    test("a browser that leaves sign-ins behind does not collect their cookies", async () => {
      const browser = await auth.openBrowser();
      for (let count = 0; count < 30; count += 1) {
        await browser.open(client.authorizeUrl());
      }
      expect([...browser.cookies.keys()].filter((name) => name.startsWith("interaction-")).length).toBe(20);
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
      // The first grant was the only one, so the second time nobody was asked.
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

    test("cannot be given for an account that the user is not in", async () => {
      const stranger = await auth.createPerson();
      const newcomer = await auth.createPerson();
      const browser = await auth.openBrowser();
      const page = await browser.open(client.authorizeUrl());
      const last = await answerQuestions(browser, page, { person: newcomer, accountId: stranger.account.id });
      expect(last.isElsewhere).toBe(false);
      expect(await auth.platform.accounts.grants.listOfUser(newcomer.user.id)).toEqual([]);
    });
  });

  test.each([
    ["response_type", "token"],
    ["response_type", "code id_token"],
    ["response_type", "none"],
    ["response_mode", "form_post"],
    ["response_mode", "fragment"],
    ["response_mode", "web_message"],
    ["request", "eyJhbGciOiJub25lIn0.e30."],
    ["request_uri", "https://evil.example/request"],
    ["registration", "{}"],
    ["resource", "https://other.example"],
    ["max_age", "-1"],
    ["prompt", "none login"],
  ])("%s=%s gets an error at the redirect URI and no code; before a sign-in, a page", async (name, value) => {
    const stranger = await (await auth.openBrowser()).open(client.authorizeUrl({ [name]: value }));
    expect(stranger).toMatchObject({ isElsewhere: false, status: 400, forms: [] });
    expect(stranger.html).toContain("This request cannot be answered");
    const browser = await auth.openBrowser(person);
    const { url, isElsewhere, html } = await browser.open(client.authorizeUrl({ [name]: value }));
    expect({ isElsewhere, html }).toEqual({ isElsewhere: true, html: "" });
    const { searchParams, hash } = new URL(url);
    expect(searchParams.get("error") ?? new URLSearchParams(hash.slice(1)).get("error")).toEqual(expect.any(String));
    expect(url).not.toMatch(/[?&#]code=/);
  });

  test("with prompt=none every error goes to the application, whoever is signed in", async () => {
    const { url } = await (await auth.openBrowser()).open(client.authorizeUrl({ prompt: "none", scope: "unheard of" }));
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ error: "invalid_scope", state: "st_1" });
  });

  describe("by POST", () => {
    const post = (body: string, headers: Record<string, string> = {}, query = ""): Promise<Response> =>
      fetch(`http://127.0.0.1:${auth.ports[0]}/api/v1/authorize${query}`, {
        method: "POST",
        body,
        redirect: "manual",
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      });

    test("goes on as the very same request by GET, which browsers send their cookies with", async () => {
      const { searchParams, href } = new URL(client.authorizeUrl({ state: "ünï €&=+ %" }));
      const answer = await post(searchParams.toString(), { Origin: "https://app.example.com" }, "?client_id=ignored");
      const location = answer.headers.get("Location") ?? "";
      expect(answer.status).toBe(303);
      expect(new URL(location, auth.origin).href).toBe(href);
      expect(answer.headers.getSetCookie()).toEqual([]);
      const { browser } = await client.authorize(person, { scope: "openid" });
      expect((await browser.open(location)).isElsewhere).toBe(true);
    });

    test("a parameter that comes twice is refused as by GET", async () => {
      const { searchParams } = new URL(client.authorizeUrl());
      searchParams.append("redirect_uri", client.redirectUri);
      const answer = await post(searchParams.toString());
      const { status } = await (await auth.openBrowser()).open(answer.headers.get("Location") ?? "");
      expect(status).toBe(400);
    });

    test.each([
      ["a", "application/json", "{}", 415],
      ["a form of more than 8 KiB", "application/x-www-form-urlencoded", `state=${"x".repeat(8 * 1024)}`, 413],
      ["one that is longer when it is escaped", "application/x-www-form-urlencoded", `state=${'"'.repeat(4_000)}`, 413],
      ["one that is no UTF-8", "application/x-www-form-urlencoded", Buffer.from([0xc0, 0xaf]).toString("latin1"), 303],
    ])("%s is answered with a page", async (_name, type, body, status) => {
      const answer = await post(body, { "Content-Type": type });
      expect(answer.status).toBe(status);
      expect(answer.headers.has("Location")).toBe(status === 303);
    });
  });

  test("the gateway may be named as the resource, for it is the only one", async () => {
    const { forms } = await (await auth.openBrowser()).open(client.authorizeUrl({ resource: auth.apiUrl }));
    expect(forms.flatMap(({ inputs }) => inputs)).toContain("password");
  });

  test.each([
    "\u0000",
    "%ED%A0%80",
    "%C0%AF",
    "x".repeat(10_000),
    "\u202e\ufeff",
    "'; drop table users; --",
    "[]",
    "__proto__",
  ])("no parameter fails us with %j", async (text) => {
    const names = [
      ...new URL(client.authorizeUrl()).searchParams.keys(),
      "prompt",
      "nonce",
      "login_hint",
      "id_token_hint",
      "ui_locales",
      "acr_values",
    ];
    for (const name of names) {
      const url = new URL(client.authorizeUrl());
      url.searchParams.delete(name);
      const target = `${url.pathname}${url.search}&${name}=${text.startsWith("%") ? text : encodeURIComponent(text)}`;
      const response = await fetch(`http://127.0.0.1:${auth.ports[0]}${target}`, { redirect: "manual" });
      expect({ name, isFailure: response.status >= 500 }).toEqual({ name, isFailure: false });
    }
    for (const name of ["grant_type", "code", "refresh_token", "client_id", "redirect_uri", "code_verifier", "scope"]) {
      const answers = [
        await client.post("/api/v1/token", {
          grant_type: "authorization_code",
          client_id: client.application.id,
          code: "x",
          redirect_uri: client.redirectUri,
          [name]: text,
        }),
        await client.post("/api/v1/token", {
          grant_type: "refresh_token",
          client_id: client.application.id,
          refresh_token: "x",
          [name]: text,
        }),
      ];
      answers.forEach(({ status, json }) =>
        expect({ name, status: [400, 401].includes(status), error: json.error }).toEqual({
          name,
          status: true,
          error: expect.any(String),
        }),
      );
    }
  });

  test("state comes back as it was, whatever it holds", async () => {
    const state = `<script>"&'% ünï €\u{1f600}${"x".repeat(900)}`;
    expect((await open({ state, prompt: "none" })).get("state")).toBe(state);
  });
});
