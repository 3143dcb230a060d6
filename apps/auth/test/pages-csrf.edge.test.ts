import { useAll } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { pageRoutes } from "../src/pages/pages.ts";
import { csrfOf } from "./support/pages.ts";
import type { Browser } from "./support/browser.ts";
import { usePages } from "./support/use-pages.ts";

/** A path that the route takes. */
const pathFor = (path: string): string =>
  path.replace(":uid", "A".repeat(43)).replace(":passkeyId", "some-id").replace(":accountId", "some-id");
const posts = pageRoutes.filter(({ post }) => post).map(({ path }) => ({ path: pathFor(path) }));
const gets = pageRoutes.filter(({ get }) => get).map(({ path }) => ({ path: pathFor(path) }));

const pages = usePages();
const person = useAll(() => pages.auth.createPerson());
let browser: Browser;
let sent = 0;

beforeAll(async () => {
  browser = pages.openBrowser();
  await pages.signIn(browser, person);
});

const send = (path: string, options: { token?: string | undefined; headers?: Record<string, string>; body?: string }) =>
  fetch(`http://127.0.0.1:${pages.auth.ports[0]}${path}`, {
    method: "POST",
    redirect: "manual",
    body:
      options.body ??
      new URLSearchParams({
        email: "a@example.com",
        ...(options.token !== undefined && { csrf: options.token }),
      }).toString(),
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      Cookie: cookieOf(browser),
      // A new client address each time, because another test covers the limits.
      "X-Forwarded-For": `198.18.${(sent += 1) >> 8}.${sent & 255}`,
      ...options.headers,
    },
  });
const cookieOf = (of: Browser): string => [...of.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
/** The token of the page that the browser has open now. */
const tokenOf = async (of: Browser): Promise<string> => csrfOf(await of.open("/sign-out"));

test.each(posts)(
  "a form to $path is refused with 403 without its token, and with it gets to the page's own work",
  async ({ path }) => {
    expect((await send(path, {})).status).toBe(403);
    const { status } = await send(path, { token: await tokenOf(browser), headers: { Origin: pages.auth.origin } });
    expect(status).not.toBe(403);
    if (path === "/sign-out") {
      await pages.signIn(browser, person);
    }
  },
);

test.each(["/sign-in", "/sign-up", "/password/forgotten"])(
  "a form to %s of a browser that nobody is signed in with needs its token, so that no site signs it in as another",
  async (path) => {
    const [visitor, other] = [pages.openBrowser(), pages.openBrowser()];
    const [token, foreign] = [csrfOf(await visitor.open(path)), csrfOf(await other.open(path))];
    const headers = { Cookie: cookieOf(visitor) };
    expect((await send(path, { headers })).status).toBe(403);
    expect((await send(path, { headers, token: foreign })).status).toBe(403);
    expect((await send(path, { headers, token })).status).not.toBe(403);
  },
);

describe("a form of this browser, of before somebody signed in with it", () => {
  test.each(posts)(
    "to $path does nothing: those that sign in lead on, all others are refused with 403",
    async ({ path }) => {
      const visitor = pages.openBrowser();
      const before = csrfOf(await visitor.open("/sign-in"));
      await pages.signIn(visitor, person);
      const headers = { Cookie: cookieOf(visitor) };
      const answer = await send(path, { token: before, headers });
      const leadsOn = pageRoutes.some((route) => pathFor(route.path) === path && route.whenSignedIn !== undefined);
      expect(leadsOn).toBe(/^\/(?:sign-in|interaction\/\w+)(?:\/(?:sign-in|passkey|code))?$/.test(path));
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([leadsOn ? 303 : 403, []]);
      // Another browser's token is refused everywhere.
      const foreign = csrfOf(await pages.openBrowser().open("/sign-in"));
      expect((await send(path, { token: foreign, headers })).status).toBe(403);
    },
  );
});

/** One function receives all forms. These are a form from before the sign-in and one of a signed-in user. */
describe.each([{ path: "/sign-in" }, { path: "/account/name" }])("a form to $path", ({ path }) => {
  test("with its token from a page of another site is refused with 403", async () => {
    const token = await tokenOf(browser);
    const origins: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${pages.auth.origin}.evil.example` },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ];
    for (const headers of origins) {
      expect((await send(path, { token, headers })).status).toBe(403);
    }
  });
});

describe.each(gets)("the page at $path", ({ path }) => {
  test("forbids framing, foreign content and storing, to everybody", async () => {
    for (const visitor of [pages.openBrowser(), browser]) {
      const { headers, html } = await visitor.open(path);
      expect(headers.get("Content-Security-Policy")).toMatch(
        /^default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'[^;*]*; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("same-origin");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.get("Permissions-Policy")).toContain("camera=()");
      // Over http it would be ignored, and is a mistake.
      expect(headers.get("Strict-Transport-Security")).toBeNull();
      expect(html).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\/|style="|onclick|<script>/);
    }
  });
});

describe("cookies", () => {
  test("over http have plain names; all are out of reach of scripts and of other sites' forms", async () => {
    const visitor = pages.openBrowser();
    await pages.signIn(visitor, await pages.auth.createPerson());
    const ours = visitor.setCookies.filter((cookie) => /^(?:session|browser)=/.test(cookie));
    expect(ours.length).toBeGreaterThanOrEqual(2);
    for (const cookie of ours) {
      expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    }
  });
});

describe("what is no form of ours", () => {
  test.each([
    ["NUL", "email=a%00b", 400],
    ["an overlong encoding", "email=%c0%af", 400],
    ["half of a surrogate pair", "email=%ed%a0%80", 400],
    ["a broken percent-encoding", "email=%zz", 400],
    ["more fields than any form has", "a=1&".repeat(60), 400],
    ["more than 32 KiB", `email=${"x".repeat(33_000)}`, 413],
  ])("%s is refused, and nothing fails", async (_what, body, status) => {
    const response = await send("/sign-in", { body });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toContain("text/html");
  });

  test("JSON, or a form with files, is refused", async () => {
    for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
      expect((await send("/sign-in", { headers: { "Content-Type": type } })).status).toBe(415);
    }
  });

  test("a field that comes twice has no value", async () => {
    const token = await tokenOf(browser);
    const body = `csrf=${token}&email=a%40example.com&email=b%40example.com`;
    expect((await send("/sign-up", { body })).status).toBe(422);
    expect((await send("/sign-up", { body: `csrf=${token}&csrf=${token}&email=a%40example.com` })).status).toBe(403);
  });
});
