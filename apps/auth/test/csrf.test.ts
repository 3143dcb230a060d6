import { createCipher } from "@gateway/kernel";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createCookies } from "../src/browser/cookies.ts";
import { createCsrf, type Origin } from "../src/browser/csrf.ts";

const origin = "https://auth.example";
const csrfOf = (key: number) =>
  createCsrf({ cookies: createCookies({ isSecure: true }), cipher: createCipher([Buffer.alloc(32, key)]), origin });
const csrf = csrfOf(1);
const here: Origin = { browser: "b".repeat(43), sessionId: "ses_1" };

function request(headers: Record<string, string> = {}): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

test("the token of a page is taken from the same browser in the same session", () => {
  expect(csrf.isOurs(request(), csrf.tokenOf(here), here)).toBe(true);
  const signedOut = { ...here, sessionId: null };
  expect(csrf.isOurs(request(), csrf.tokenOf(signedOut), signedOut)).toBe(true);
});

test.each<[string, string | null]>([
  ["no token", null],
  ["an empty token", ""],
  ["the token of this browser from before the sign-in", csrf.tokenOf({ ...here, sessionId: null })],
  ["the token of this browser from another session", csrf.tokenOf({ ...here, sessionId: "ses_2" })],
  ["the token of another browser", csrf.tokenOf({ ...here, browser: "c".repeat(43) })],
  ["a token under another key", csrfOf(2).tokenOf(here)],
  ["a token that is cut short", csrf.tokenOf(here).slice(0, -1)],
])("%s is refused", (_what, token) => {
  expect(csrf.isOurs(request(), token, here)).toBe(false);
});

test.each([
  [{ origin }, true],
  [{ origin, "sec-fetch-site": "same-origin" }, true],
  [{ origin: "https://evil.example" }, false],
  [{ origin: "null" }, false],
  [{ origin: `${origin}.evil.example` }, false],
  [{ "sec-fetch-site": "cross-site" }, false],
  [{ origin, "sec-fetch-site": "same-site" }, false],
])("a form that is sent with %j is taken: %j", (headers, isTaken) => {
  expect(csrf.isOurs(request(headers), csrf.tokenOf(here), here)).toBe(isTaken);
});
