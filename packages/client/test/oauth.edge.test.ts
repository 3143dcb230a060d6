import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  authorizeUrl,
  createMemoryTokenStore,
  createOAuthSession,
  createPkcePair,
  type OAuthSession,
  type OAuthTokens,
  type PendingSignIn,
} from "../src/index.ts";
import { answer, data, refusal, type Reply } from "./support/fake-gateway.ts";
import { startFakeAuth, type FakeAuth } from "./support/fake-auth.ts";
import { failureOf, startTestClient } from "./support/test-client.ts";

let auth: FakeAuth;
let session: OAuthSession;
const store = createMemoryTokenStore();

beforeEach(async () => {
  auth = await startFakeAuth();
  await store.set(null);
  session = createOAuthSession({
    authUrl: auth.url,
    clientId: "app_1",
    redirectUri: "https://app.example/back",
    store,
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await auth.stop();
});

/** The URL of the provider's redirect. */
function redirect(query: Record<string, string>): string {
  return `https://app.example/back?${new URLSearchParams({ iss: auth.url, ...query }).toString()}`;
}

async function begin(): Promise<PendingSignIn> {
  const { url, pending } = await session.begin(["openid", "read"]);
  auth.expectCode("code-1", new URL(url).searchParams.get("code_challenge") ?? "");
  return pending;
}

async function signIn(): Promise<OAuthTokens> {
  const pending = await begin();
  return session.handleRedirect(redirect({ code: "code-1", state: pending.state }), pending);
}

/** A gateway that accepts only the current access token. */
const gatewayOf: (provider: FakeAuth) => Reply = (provider) => (res, seen) =>
  (seen.headers.authorization === `Bearer ${provider.current()}`
    ? data({ id: "acc_1" })
    : refusal(401, "UNAUTHENTICATED"))(res, seen);

describe("sign-in", () => {
  test("a PKCE pair is that of RFC 7636: 43 letters, and the SHA-256 of them", async () => {
    const { codeVerifier, codeChallenge } = await createPkcePair();
    expect(codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
    expect(codeChallenge).toBe(Buffer.from(digest).toString("base64url"));
    expect((await createPkcePair()).codeVerifier).not.toBe(codeVerifier);
  });

  test("the authorize URL holds what RFC 6749 and RFC 7636 ask for", () => {
    const url = new URL(
      authorizeUrl({
        authUrl: "https://id.example/",
        clientId: "app_1",
        redirectUri: "https://app.example/back?x=1",
        scopes: ["openid", "read"],
        state: "s",
        codeChallenge: "c",
      }),
    );
    expect(url.origin + url.pathname).toBe("https://id.example/api/v1/authorize");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: "app_1",
      redirect_uri: "https://app.example/back?x=1",
      scope: "openid read",
      state: "s",
      code_challenge: "c",
      code_challenge_method: "S256",
    });
  });

  test("the redirect's code becomes tokens, which the client calls with", async () => {
    const tokens = await signIn();
    expect(tokens).toMatchObject({
      accessToken: "access-1",
      refreshToken: "refresh-1",
      idToken: "id",
      scope: "openid read",
    });
    expect(tokens.expiresAtMs - Date.now()).toBeGreaterThan(3_590_000);
    const { client } = await startTestClient([gatewayOf(auth)], { oauth: session });
    expect(await client.account.get()).toEqual({ id: "acc_1" });
  });

  test.each<
    [
      name: string,
      change: (query: { code: string; state: string; iss: string }) => Record<string, string>,
      message: RegExp,
    ]
  >([
    ["somebody else's state", ({ code, iss }) => ({ code, iss, state: "other" }), /state is not the one that was sent/],
    ["no state", ({ code, iss }) => ({ code, iss }), /state/],
    ["another issuer", (query) => ({ ...query, iss: "https://evil.example" }), /iss is not the identity provider/],
    ["no code", ({ state, iss }) => ({ state, iss }), /code is missing/],
  ])("a redirect with %s is refused, and no code is sent", async (_name, change, message) => {
    const pending = await begin();
    const query = change({ code: "code-1", state: pending.state, iss: auth.url });
    const url = `https://app.example/back?${new URLSearchParams(query).toString()}`;
    const error = await failureOf(session.handleRedirect(url, pending));
    expect(error).toMatchObject({
      name: "OAuthError",
      code: "invalid_redirect",
      message: expect.stringMatching(message) as unknown,
    });
    expect(auth.seen).toEqual([]);
  });

  test("a redirect without an issuer is refused (RFC 9207, 2.4)", async () => {
    const pending = await begin();
    const url = `https://app.example/back?code=code-1&state=${pending.state}`;
    expect(await failureOf(session.handleRedirect(url, pending))).toMatchObject({ code: "invalid_redirect" });
  });

  test("a person who declines is an OAuthError with the provider's code", async () => {
    const pending = await begin();
    const url = redirect({ error: "access_denied", error_description: "The person declined.", state: pending.state });
    expect(await failureOf(session.handleRedirect(url, pending))).toMatchObject({
      name: "OAuthError",
      code: "access_denied",
      message: "Sign-in was refused: access_denied. The person declined.",
    });
  });

  test("a code with another verifier is refused, once, for a code that comes twice ends what it gave", async () => {
    const pending = await begin();
    const url = redirect({ code: "code-1", state: pending.state });
    const error = await failureOf(session.handleRedirect(url, { ...pending, codeVerifier: "other" }));
    expect(error).toMatchObject({ name: "OAuthError", code: "invalid_grant", status: 400 });
    expect(auth.seen).toHaveLength(1);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: "signed_out" });
  });
});

describe("renewal", () => {
  test("20 requests at once with an expired token: one refresh, 20 results", async () => {
    await signIn();
    const { client, gateway } = await startTestClient([gatewayOf(auth)], { oauth: session });
    auth.expire();
    const results = await Promise.all(Array.from({ length: 20 }, () => client.account.get()));
    expect(results).toEqual(Array(20).fill({ id: "acc_1" }));
    expect(auth.refreshes()).toBe(1);
    expect(gateway.seen).toHaveLength(40);
  });

  test("a refusal that comes when the token is renewed already asks for no other", async () => {
    await signIn();
    await session.refresh();
    expect(await session.accessToken("access-1")).toBe("access-2");
    expect(auth.refreshes()).toBe(1);
  });

  test("a token that ends within 10 s is renewed before it is sent", async () => {
    await signIn();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_589_000 });
    expect(await session.accessToken()).toBe("access-1");
    vi.setSystemTime(Date.now() + 2_000);
    expect(await Promise.all([session.accessToken(), session.accessToken()])).toEqual(["access-2", "access-2"]);
    expect(auth.refreshes()).toBe(1);
  });

  test("sessions that share a store share a refresh, as the tabs of a browser do", async () => {
    await signIn();
    auth.expire();
    const options = { authUrl: auth.url, clientId: "app_1", redirectUri: "https://app.example/back", store };
    const tabs = Array.from({ length: 5 }, () => createOAuthSession(options));
    const tokens = await Promise.all(tabs.map((tab) => tab.accessToken("access-1")));
    expect(tokens).toEqual(Array(5).fill("access-2"));
    expect(auth.refreshes()).toBe(1);
  });

  test("a refresh that is refused signs out: the call fails with the reason, and the next one asks nobody", async () => {
    await signIn();
    auth.expire();
    await store.set({ ...((await store.get()) as OAuthTokens), refreshToken: "stolen" });
    const { client } = await startTestClient([gatewayOf(auth)], { oauth: session });
    expect(await failureOf(client.account.get())).toMatchObject({ name: "OAuthError", code: "invalid_grant" });
    expect(await failureOf(client.account.get())).toMatchObject({ code: "signed_out" });
    expect(auth.refreshes()).toBe(1);
  });

  test("a refresh that fails for a while loses nothing", async () => {
    await signIn();
    const tokens = await store.get();
    let isDown = true;
    const flaky = createOAuthSession({
      authUrl: auth.url,
      clientId: "app_1",
      redirectUri: "https://app.example/back",
      store,
      fetch: (url, init) => (isDown ? Promise.reject(new TypeError("fetch failed")) : fetch(url, init)),
    });
    expect(await failureOf(flaky.refresh())).toMatchObject({ name: "ConnectionError" });
    expect(await store.get()).toEqual(tokens);
    isDown = false;
    expect((await flaky.refresh()).accessToken).toBe("access-2");
  });

  test("a provider that answers without the shape is an error, and stores nothing", async () => {
    await signIn();
    const other = createOAuthSession({
      authUrl: auth.url,
      clientId: "app_1",
      redirectUri: "https://app.example/back",
      store,
      fetch: async () => new Response("<html>"),
    });
    expect(await failureOf(other.refresh())).toMatchObject({ name: "OAuthError", code: "INVALID_ANSWER" });
    expect(await store.get()).toMatchObject({ accessToken: "access-1" });
  });
});

describe("sign-out", () => {
  test("revokes the refresh token where discovery says (RFC 7009), and forgets", async () => {
    await signIn();
    await session.signOut();
    const revocation = auth.seen.find(({ path }) => path === "/api/v1/revoke");
    expect(Object.fromEntries(new URLSearchParams(revocation?.body))).toEqual({
      token: "refresh-1",
      token_type_hint: "refresh_token",
      client_id: "app_1",
    });
    expect(await failureOf(session.accessToken())).toMatchObject({ code: "signed_out" });
  });

  test("forgets also when the provider is away, and says so", async () => {
    await signIn();
    await auth.stop();
    expect(await failureOf(session.signOut())).toMatchObject({ name: "ConnectionError" });
    expect(await failureOf(session.accessToken())).toMatchObject({ code: "signed_out" });
    auth = await startFakeAuth();
  });

  test("of nobody does nothing", async () => {
    await session.signOut();
    expect(auth.seen).toEqual([]);
  });
});

test("an answer of the provider that is not OAuth's is told by its status", async () => {
  const { gateway } = await startTestClient([(res) => answer(res, 502, "<html>")]);
  const other = createOAuthSession({
    authUrl: gateway.url,
    clientId: "app_1",
    redirectUri: "https://app.example/back",
  });
  expect(await failureOf(other.exchangeCode({ code: "c", codeVerifier: "v" }))).toMatchObject({
    code: "HTTP_502",
    status: 502,
  });
});

describe("a sign-in that is too old", () => {
  const challenge =
    'Bearer realm="gateway", error="insufficient_user_authentication", max_age="300", error_description="x"';
  const tooOld = refusal(401, "FRESH_SIGN_IN_REQUIRED", { "WWW-Authenticate": challenge });

  test("is no reason to renew the token, and says how fresh it must be", async () => {
    await signIn();
    const { client, gateway } = await startTestClient([tooOld], { oauth: session });
    const before = auth.current();
    const error = await failureOf(client.account.get());
    expect(error).toMatchObject({ name: "AuthenticationError", code: "FRESH_SIGN_IN_REQUIRED", maxAgeSeconds: 300 });
    expect({ tries: gateway.seen.length, token: auth.current() }).toEqual({ tries: 1, token: before });
  });

  test.each([
    ["another challenge", 'Bearer error="invalid_token", error_description="max_age=300"'],
    ["none", null],
  ])("is not what %s says", async (_name, other) => {
    const { client } = await startTestClient([
      refusal(401, "UNAUTHENTICATED", other ? { "WWW-Authenticate": other } : {}),
    ]);
    expect(await failureOf(client.account.get())).toMatchObject({ maxAgeSeconds: null });
  });

  test("is answered with the address to sign in at again", async () => {
    const { url } = await session.begin(["openid"], { maxAgeSeconds: 300 });
    expect(new URL(url).searchParams.get("max_age")).toBe("300");
    const { url: usual } = await session.begin(["openid"], { maxAgeSeconds: null });
    expect(new URL(usual).searchParams.has("max_age")).toBe(false);
  });
});
