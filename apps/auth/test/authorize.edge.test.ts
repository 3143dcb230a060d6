import { createTestClock, useAll } from "@gateway/testkit";
import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
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
      const { browser } = await client.authorize(person);
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
      for (const form of [
        { grant_type: "authorization_code", code: "x", redirect_uri: client.redirectUri },
        { grant_type: "refresh_token", refresh_token: "x" },
      ]) {
        const whole = { client_id: client.application.id, ...form, [name]: text };
        const { status, json } = await client.post("/api/v1/token", whole);
        const answer = { name, isRefused: [400, 401].includes(status), error: json.error };
        expect(answer).toEqual({ name, isRefused: true, error: expect.any(String) });
      }
    }
  });

  test("state comes back as it was, whatever it holds", async () => {
    const state = `<script>"&'% ünï €\u{1f600}${"x".repeat(900)}`;
    expect((await open({ state, prompt: "none" })).get("state")).toBe(state);
  });
});
