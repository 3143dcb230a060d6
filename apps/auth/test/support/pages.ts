import { createCipher } from "@gateway/kernel";
import { openUserMail, type Notice, type UserMail } from "@gateway/platform/mails";
import { createTestClock, type TestClock } from "@gateway/testkit";
import { expect } from "vitest";
import { createAfterwards } from "../../src/browser/afterwards.ts";
import { createBrowser, type Browser, type BrowserPage } from "./browser.ts";
import type { HtmlForm } from "./html-form.ts";
import { startTestAuth, type Person, type TestAuth, type TestAuthOptions } from "./test-auth.ts";

/** A provider whose clock the test moves, and helpers for its pages. */
export type TestPages = {
  auth: TestAuth;
  clock: TestClock;
  /** A browser behind the trusted proxy, at this client address. */
  openBrowser(options?: { address?: string; userAgent?: string }): Browser;
  signIn(browser: Browser, person: Person): Promise<BrowserPage>;
  /** All mails ever queued for the address, oldest first, without notices. */
  mailsTo(email: string): Promise<Exclude<UserMail, Notice>[]>;
  /** All notices ever queued for the address, oldest first. */
  noticesTo(email: string): Promise<Notice[]>;
  /** The link of the newest mail. */
  linkTo(email: string): Promise<string>;
  /**
   * Creates a user with a new address and this password, through the mailed link, and signs them in with the browser.
   */
  signUp(browser: Browser, email: string, password: string): Promise<BrowserPage>;
  count(table: "users" | "accounts" | "people" | "mails" | "mail_links"): Promise<number>;
  stop(): Promise<void>;
};

export type PagesOptions = Pick<TestAuthOptions, "env" | "passwords">;

export const goodPassword = "ferry candle walnut orbit";

export async function startPages({ env = {}, ...overrides }: PagesOptions = {}): Promise<TestPages> {
  const clock = createTestClock(Date.now());
  const afterwards = createAfterwards({ onFailure: (error) => expect.unreachable(String(error)) });
  const auth = await startTestAuth({ clock, afterwards, env: { TRUSTED_PROXIES: "127.0.0.1", ...env }, ...overrides });
  const { database, watch } = auth;
  const cipher = createCipher([auth.encryptionKey]);
  let addresses = 0;

  const allTo = async (email: string): Promise<UserMail[]> => {
    await afterwards.finish();
    const rows = await database.kysely
      .selectFrom("mails")
      .select(["id", "content"])
      .where("email", "=", email)
      .orderBy("id")
      .execute();
    return rows.flatMap(({ id, content }) => (content ? [openUserMail(cipher, { id, content })] : []));
  };
  const mailsTo: TestPages["mailsTo"] = async (email) =>
    (await allTo(email)).flatMap((mail) => ("isLast" in mail ? [] : mail));
  const linkTo = async (email: string): Promise<string> => {
    const url = (await mailsTo(email)).at(-1)?.url ?? "";
    watch.note(new URL(url).searchParams.get("token") ?? "");
    return url;
  };
  return {
    auth,
    clock,
    mailsTo,
    noticesTo: async (email) => (await allTo(email)).flatMap((mail) => ("isLast" in mail ? mail : [])),
    linkTo,
    openBrowser: ({ address, userAgent = "Test" } = {}) => {
      addresses += 1;
      return createBrowser({
        origin: auth.origin,
        ports: () => auth.ports,
        watch,
        headers: {
          "User-Agent": userAgent,
          "X-Forwarded-For": address ?? `198.51.${addresses >> 8}.${addresses & 255}`,
        },
      });
    },
    signIn: async (browser, { user, password }) => {
      return browser.fill("/sign-in", { email: user.email, password });
    },
    signUp: async (browser, email, password) => {
      await browser.fill("/sign-up", { email });
      return browser.fill(await linkTo(email), { name: "Somebody New", "new-password": watch.note(password) });
    },
    count: async (table) => {
      await afterwards.finish();
      const { count } = await database.kysely
        .selectFrom(table)
        .select((select) => select.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },
    stop: () => auth.stop(),
  };
}

/** The path at which a browser ended, without the variable parts of the URL. */
export function pathOf(page: BrowserPage): string {
  return new URL(page.url).pathname;
}

/** The text of a page, for a reader. */
export function textOf({ html }: BrowserPage): string {
  return html
    .replace(/^[\s\S]*<main>/, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}

/** The text of a page without values that differ by browser: tokens, challenges and the typed address. */
export function comparable({ html }: BrowserPage, typed: string): string {
  return html
    .replaceAll(/name="csrf" value="[^"]*"/g, "")
    .replaceAll(/data-options="[^"]*"/g, "")
    .replaceAll(typed, "TYPED");
}

/** The token of a page's first form against forged requests. */
export function csrfOf(page: BrowserPage): string {
  return page.forms[0]?.values.find(([name]) => name === "csrf")?.[1] ?? "";
}

export function formAt(page: BrowserPage, action: string): HtmlForm | undefined {
  return page.forms.find((form) => form.action === action);
}
