import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMemoryTokenStore, createOAuthSession, type OAuthSession } from "../src/index.ts";
import { startFakeAuth, type FakeAuth } from "./support/fake-auth.ts";

let auth: FakeAuth;
let session: OAuthSession;

beforeEach(async () => {
  // Older runtimes have no Web Locks, so that the lock does not hide what is tested.
  vi.stubGlobal("navigator", {});
  auth = await startFakeAuth();
  const redirectUri = "https://app.example/back";
  session = createOAuthSession({ authUrl: auth.url, clientId: "app_1", redirectUri, store: createMemoryTokenStore() });
  const { url, pending } = await session.begin(["openid", "read"]);
  auth.expectCode("code-1", new URL(url).searchParams.get("code_challenge") ?? "");
  await session.exchangeCode({ code: "code-1", codeVerifier: pending.codeVerifier });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await auth.stop();
});

test("where there are no Web Locks, 20 calls at once with an expired token make one refresh, too", async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => session.accessToken("access-1")));
  expect(tokens).toEqual(Array(20).fill("access-2"));
  expect(auth.refreshes()).toBe(1);
});

test("one refresh after the other is a request each", async () => {
  await session.refresh();
  expect(await session.refresh()).toMatchObject({ accessToken: "access-3" });
  expect(auth.refreshes()).toBe(2);
});
