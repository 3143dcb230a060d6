import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashApiKeySecret } from "@gateway/platform/accounts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import { formAt, startPages, textOf, type TestPages } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";

const docsUrl = "https://docs.example.com/gateway";
const consoleUrl = "https://console.example.com";

describe("the first API key", () => {
  let pages: TestPages;
  let owner: Person;
  let browser: Browser;
  let path: string;

  beforeAll(async () => {
    const consoleEnv = { CONSOLE_URL: consoleUrl, CONSOLE_CLIENT_SECRET: "of the console, 2718281828459045" };
    pages = await startPages({
      env: { DOCS_URL: `${docsUrl}/`, API_URL: "https://api.example.com", ...consoleEnv },
    });
  });
  afterAll(() => pages.stop());
  beforeEach(async () => {
    owner = await pages.auth.createPerson();
    browser = pages.openBrowser();
    await pages.signIn(browser, owner);
    path = `/account/first-key/${owner.account.id}`;
  });

  /** Noted as a secret: no log line may hold it. */
  const keyIn = ({ html }: BrowserPage): string =>
    pages.auth.watch.note(/<code>(gk_test_\w+)<\/code>/.exec(html)?.[1] ?? "");
  const keysOf = async ({ account }: Person): Promise<string[]> => {
    const { items } = await pages.auth.platform.accounts.apiKeys.list({ accountId: account.id, limit: 100 });
    return items.map(({ permission }) => permission);
  };

  test("is one press away, works, and stands in a command that is ready to run, beside the way to the guide", async () => {
    const offered = await browser.open(path);
    const page = await browser.submit(formAt(offered, path));
    const key = keyIn(page);
    expect(await pages.auth.platform.accounts.apiKeys.findHolder(hashApiKeySecret(key))).toMatchObject({
      accountId: owner.account.id,
      permission: "admin",
      revokedAtMs: null,
      expiresAtMs: null,
    });
    expect(textOf(page)).toContain(`curl -s -H &quot;X-API-Key: ${key}&quot; https://api.example.com/api/v1/account`);
    for (const { html } of [offered, page]) {
      expect(html).toContain(`href="${docsUrl}/guides/first-call"`);
      expect(html).toContain(`href="${consoleUrl}/"`);
    }
    expect((await browser.open("/account")).html).toContain(`href="${consoleUrl}/"`);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.url).not.toContain(key);
    expect(browser.setCookies.join()).not.toContain(key);
  });

  test("is shown once: whoever loads the page again, or presses again, finds it made, and no second one is", async () => {
    const offered = await browser.open(path);
    const key = keyIn(await browser.submit(formAt(offered, path)));
    const again = await browser.submit(formAt(offered, path));
    expect(again.status).toBe(409);
    for (const page of [again, await browser.open(path)]) {
      expect(textOf(page)).toContain("There is a key already");
      expect(page.html).not.toContain(key);
      expect(formAt(page, path)).toBeUndefined();
    }
    expect(await keysOf(owner)).toEqual(["admin"]);
  });

  test("is one, of 5 who press at once", async () => {
    const form = formAt(await browser.open(path), path);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => browser.submit(form)));
    answers.forEach(keyIn);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    expect(await keysOf(owner)).toEqual(["admin"]);
  });

  test("is not there for an account that had a key, even one that is revoked", async () => {
    const form = formAt(await browser.open(path), path);
    const { apiKeys } = pages.auth.platform.accounts;
    const { id } = await apiKeys.create({
      accountId: owner.account.id,
      name: "A",
      permission: "read",
      expiresAt: null,
    });
    await apiKeys.revoke({ id, accountId: owner.account.id });
    expect((await browser.submit(form)).status).toBe(409);
    expect(await keysOf(owner)).toEqual(["read"]);
  });

  test("is none for an owner who is one no more, though the page was open", async () => {
    const second = await pages.auth.createPerson({ account: owner.account });
    const other = pages.openBrowser();
    await pages.signIn(other, second);
    const form = formAt(await other.open(path), path);
    await pages.auth.platform.transaction(async ({ accounts }) => {
      const { items } = await accounts.people.list({ accountId: owner.account.id, limit: 100 });
      const id = items.find(({ email }) => email === second.user.email)?.id ?? "";
      await accounts.people.changeRole({ id, accountId: owner.account.id, role: "member" });
    });
    expect((await other.submit(form)).status).toBe(404);
    const made = await pages.auth.platform.transaction(({ accounts }) =>
      accounts.apiKeys.createFirst({ accountId: owner.account.id, userId: second.user.id }),
    );
    expect(made).toBeNull();
  });

  test("is offered on the page of the account, to owners, while there is none", async () => {
    const viewer = pages.openBrowser();
    await pages.signIn(viewer, await pages.auth.createPerson({ account: owner.account, role: "viewer" }));
    const link = `href="${path}"`;
    expect((await browser.open("/account")).html).toContain(link);
    expect((await viewer.open("/account")).html).not.toContain(link);
    keyIn(await browser.submit(formAt(await browser.open(path), path)));
    expect((await browser.open("/account")).html).not.toContain(link);
  });
});
