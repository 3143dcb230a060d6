import { createTestClock, useAll } from "@gateway/testkit";
import { SignJWT } from "jose";
import { createPrivateKey } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import type { TestAuth } from "./support/test-auth.ts";
import { useAuth } from "./support/use-auth.ts";

describe("the endpoints beside authorize and token", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ clock });
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));
  const other = useAll(async () =>
    createOauthClient(auth, await auth.createApplication(person.account, { name: "Other" })),
  );
  let base: string;

  beforeAll(async () => {
    base = `http://127.0.0.1:${auth.ports[0]}`;
  });

  const userinfo = async (authorization: string | null, method = "GET") => {
    const response = await fetch(`${base}/api/v1/userinfo`, {
      method,
      headers: authorization === null ? {} : { Authorization: authorization },
    });
    return {
      status: response.status,
      challenge: response.headers.get("WWW-Authenticate"),
      json: await response.json(),
    };
  };

  describe("userinfo", () => {
    test.each(["GET", "POST"])("%s tells what the token's scopes say", async (method) => {
      const all = await client.connect(person);
      expect(await userinfo(`Bearer ${all.access_token}`, method)).toMatchObject({
        status: 200,
        json: { sub: person.user.id, email: person.user.email, email_verified: true, name: person.user.name },
      });
      const little = await client.connect(person, { scope: "openid" });
      expect((await userinfo(`Bearer ${little.access_token}`, method)).json).toEqual({ sub: person.user.id });
    });

    test("403 with the scope that is missing for a token without openid", async () => {
      const { access_token: token } = await client.connect(person, { scope: "read" });
      const answer = await userinfo(`Bearer ${token}`);
      expect(answer).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
      expect(answer.challenge).toMatch(/^Bearer realm="auth", error="insufficient_scope", .*scope="openid"$/);
    });

    test("401 with a plain challenge when no token is sent", async () => {
      expect(await userinfo(null)).toMatchObject({ status: 401, challenge: 'Bearer realm="auth"' });
    });

    test("401 for what is no access token of ours, an ID token too", async () => {
      const tokens = await client.connect(person);
      const [header = "", payload = "", signature = ""] = tokens.access_token.split(".");
      const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
      const wrong = [
        "x",
        `${none}.${payload}.`,
        `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
        `${header}.${payload}`,
        tokens.id_token ?? "",
        tokens.refresh_token,
        await forgedBy(auth, { typ: "at+jwt", issuer: "https://evil.example" }),
        await forgedBy(auth, { typ: "at+jwt", audience: "https://evil.example" }),
        await forgedBy(auth, { typ: "JWT" }),
        "x".repeat(10_000),
      ];
      for (const token of wrong) {
        const answer = await userinfo(`Bearer ${token}`);
        expect(answer).toMatchObject({ status: 401, json: { error: "invalid_token" } });
        expect(answer.challenge).toContain('error="invalid_token"');
      }
    });

    test("401 as soon as the grant is revoked", async () => {
      const { access_token: token } = await client.connect(person);
      expect(await userinfo(`Bearer ${token}`)).toMatchObject({ status: 200 });
      await auth.platform.accounts.grants.revokeAll({ userId: person.user.id });
      expect(await userinfo(`Bearer ${token}`)).toMatchObject({ status: 401 });
    });

    test("401 once its hour is over", async () => {
      const { access_token: token } = await client.connect(person);
      clock.advance(60 * 60_000 + 10_000);
      expect(await userinfo(`Bearer ${token}`)).toMatchObject({ status: 401 });
      clock.advance(-60 * 60_000 - 10_000);
    });
  });

  describe("revocation", () => {
    const revoke = async (by: OauthClient, token: string, form: Record<string, string> = {}) =>
      by.post("/api/v1/revocation", { client_id: by.application.id, token, ...form });
    const isAlive = async (tokens: { access_token: string }): Promise<boolean> =>
      (await userinfo(`Bearer ${tokens.access_token}`)).status === 200;

    test.each([{}, { token_type_hint: "refresh_token" }, { token_type_hint: "access_token" }])(
      "of a refresh token, %j, ends it and the access tokens",
      async (hint) => {
        const tokens = await client.connect(person);
        expect(await revoke(client, tokens.refresh_token, { ...hint })).toMatchObject({ status: 200, text: "" });
        expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400 });
        expect(await isAlive(tokens)).toBe(false);
      },
    );

    test("of an access token ends its grant", async () => {
      const tokens = await client.connect(person);
      expect(await revoke(client, tokens.access_token)).toMatchObject({ status: 200, text: "" });
      expect(await isAlive(tokens)).toBe(false);
      expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400 });
    });

    test("by another application, or of what is no token, is answered 200 and changes nothing", async () => {
      const tokens = await client.connect(person);
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        expect(await revoke(other, token)).toMatchObject({ status: 200, text: "" });
      }
      for (const token of ["x", "a.b.c", `${tokens.access_token}x`, tokens.id_token ?? ""]) {
        expect(await revoke(client, token)).toMatchObject({ status: 200, text: "" });
      }
      expect(await isAlive(tokens)).toBe(true);
      expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 });
    });

    test("without a token is 400, and of an application that is not there 401", async () => {
      expect(await client.post("/api/v1/revocation", { client_id: client.application.id })).toMatchObject({
        status: 400,
        json: { error: "invalid_request" },
      });
      expect(
        await client.post("/api/v1/revocation", { client_id: "app_01kern7ck2exsrtpkeg8qrsn0h", token: "x" }),
      ).toMatchObject({ status: 401, json: { error: "invalid_client" } });
    });
  });

  describe("end-session", () => {
    test("asks, signs the browser out of our session too, and goes back to the application", async () => {
      const { browser, ...rest } = await client.authorize(person);
      const { json } = await client.exchange({ ...rest, browser });
      const query = new URLSearchParams({
        id_token_hint: json.id_token ?? "",
        post_logout_redirect_uri: "https://app.example.com/",
        state: "bye",
      });
      const page = await browser.open(`/api/v1/end-session?${query.toString()}`);
      expect(page.headers.get("Content-Security-Policy")).toContain("https://app.example.com");
      expect((await browser.open("/account")).url).toContain("/account");
      const last = await browser.submit(page.forms[0], {}, "Sign out");
      expect(last.url).toBe("https://app.example.com/?state=bye");
      expect((await browser.open("/account")).url).toContain("/sign-in");
      // The application stays connected: it has /revocation to end that.
      expect(await client.refresh(json.refresh_token)).toMatchObject({ status: 200 });
    });

    test("changes nothing when the user stays signed in", async () => {
      const { browser } = await client.authorize(person);
      await browser.fill("/api/v1/end-session", {}, "Stay signed in");
      expect((await browser.open("/account")).url).toContain("/account");
    });

    test("asks who is signed in with our pages alone, too", async () => {
      const browser = await auth.openBrowser(person);
      const page = await browser.open("/api/v1/end-session");
      expect(page.html).not.toContain("<script>");
      await browser.submit(page.forms[0], {}, "Sign out");
      expect((await browser.open("/account")).url).toContain("/sign-in");
    });

    test("cannot be confirmed by another site", async () => {
      const { browser } = await client.authorize(person);
      await browser.open("/api/v1/end-session");
      const { status } = await browser.submit({
        action: "/api/v1/end-session/confirm",
        method: "post",
        values: [["logout", "yes"]],
        inputs: [],
        buttons: [],
      });
      expect(status).toBe(400);
      expect((await browser.open("/account")).url).toContain("/account");
    });

    test.each(["https://evil.example/", "https://app.example.com/elsewhere", "https://app.example.com"])(
      "does not lead to %s",
      async (uri) => {
        const query = new URLSearchParams({ client_id: client.application.id, post_logout_redirect_uri: uri });
        const { status, isElsewhere } = await (
          await auth.openBrowser(person)
        ).open(`/api/v1/end-session?${query.toString()}`);
        expect({ status, isElsewhere }).toEqual({ status: 400, isElsewhere: false });
      },
    );
  });

  describe("discovery and keys", () => {
    test("both documents say what there is, and no more", async () => {
      const documents = await Promise.all(
        ["openid-configuration", "oauth-authorization-server"].map(async (name) =>
          (await fetch(`${base}/.well-known/${name}`)).json(),
        ),
      );
      expect(documents[0]).toEqual(documents[1]);
      expect(documents[0]).toMatchObject({
        issuer: auth.origin,
        authorization_endpoint: `${auth.origin}/api/v1/authorize`,
        token_endpoint: `${auth.origin}/api/v1/token`,
        revocation_endpoint: `${auth.origin}/api/v1/revocation`,
        userinfo_endpoint: `${auth.origin}/api/v1/userinfo`,
        jwks_uri: `${auth.origin}/api/v1/jwks`,
        end_session_endpoint: `${auth.origin}/api/v1/end-session`,
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: expect.arrayContaining(["authorization_code", "refresh_token"]),
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        id_token_signing_alg_values_supported: ["RS256"],
        scopes_supported: ["openid", "email", "profile", "read", "write", "admin"],
        authorization_response_iss_parameter_supported: true,
      });
    });

    test("the key set holds the public half, for 5 minutes", async () => {
      const response = await fetch(`${base}/api/v1/jwks`);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
      expect(await response.json()).toEqual({
        keys: [
          {
            kty: "RSA",
            use: "sig",
            alg: "RS256",
            kid: expect.any(String),
            n: expect.any(String),
            e: "AQAB",
          },
        ],
      });
    });
  });

  test.each([
    ["GET", "/api/v1/token", 405],
    ["GET", "/api/v1/revocation", 405],
    ["PUT", "/api/v1/authorize", 405],
    ["DELETE", "/api/v1/jwks", 405],
    ["PUT", "/api/v1/userinfo", 405],
    ["GET", "/api/v1/nothing", 404],
    ["GET", "/API/v1/jwks", 404],
    ["GET", "/api/v1/jwks/", 404],
    ["GET", "/api/v1/register", 404],
    ["POST", "/api/v1/introspection", 404],
  ])("%s %s is %i, in JSON for programs and as a page for browsers", async (method, path, status) => {
    const asked = async (accept: string): Promise<Response> =>
      fetch(`${base}${path}`, { method, headers: { Accept: accept } });
    const json = await asked("application/json");
    expect(json.status).toBe(status);
    expect(await json.json()).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
    const page = await asked("text/html");
    expect(page.status).toBe(status);
    expect(await page.text()).toMatch(/^<!doctype html>/);
    expect(page.headers.get("X-Powered-By")).toBeNull();
  });
});

/** Signed with our own key, and wrong in one way. */
async function forgedBy(
  auth: TestAuth,
  { typ, issuer = auth.origin, audience = auth.apiUrl }: { typ: string; issuer?: string; audience?: string },
): Promise<string> {
  const [key] = await auth.platform.auth.signingKeys.load();
  const grants = await auth.database.kysely.selectFrom("grants").selectAll().where("revoked_at", "is", null).execute();
  const [grant] = grants;
  return new SignJWT({
    client_id: grant?.application_id,
    grant: grant?.id,
    account: grant?.account_id,
    scope: "openid",
  })
    .setProtectedHeader({ alg: "RS256", typ, kid: key?.id ?? "" })
    .setSubject(grant?.user_id ?? "")
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti("jti")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(createPrivateKey({ key: { ...key?.privateJwk }, format: "jwk" }));
}
