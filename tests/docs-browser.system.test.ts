import { startDocs, type RunningDocs } from "@gateway/docs";
import { createTestFolder } from "@gateway/testkit";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { findSerious, kindsOfPages, openWatched, waitUntilInView } from "./support/docs-browser.ts";

/** One is enough for all: what a test changes is in a context of its own. */
const browser: Browser | null = await startChromium();
let docs: RunningDocs;
let folder: string;

beforeAll(async () => {
  folder = join(await createTestFolder(), "dist");
  docs = await startDocs({ port: 0, host: "127.0.0.1" }, { print: (line) => console.log(line) }, { folder });
  await docs.built;
});
afterAll(async () => {
  await browser?.close();
  await docs.stop();
});

describe.skipIf(browser === null)("in Chromium", () => {
  const own = (): Browser => browser as Browser;

  test.each([
    ["gateway/tags/people#inviteperson", '"$GATEWAY_URL/api/v1/people"'],
    ["auth/tags/tokens#exchangetoken", "grant_type=refresh_token"],
    ["auth/tags/users#getuserinfo", '"$GATEWAY_AUTH_URL/api/v1/userinfo"'],
  ])("the sample that was made is what reference/%s shows", async (path, text) => {
    const { context, foreign } = await openWatched(own(), docs.url, { viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${docs.url}reference/${path}`);
    await page.locator(".samples pre").getByText(text).first().waitFor();
    await context.close();
    expect(foreign).toEqual([]);
  });

  test.each([
    ["gateway#/wallets/createwallet", "gateway/tags/wallets.html#createwallet"],
    ["auth.html#/tokens", "auth/tags/tokens.html"],
    ["gateway#/section/money", "gateway#money"],
  ])("the former address reference/%s leads to %s", async (former, address) => {
    const { context, foreign } = await openWatched(own(), docs.url);
    const page = await context.newPage();
    await page.goto(`${docs.url}reference/${former}`);
    await page.waitForURL(`${docs.url}reference/${address}`);
    await context.close();
    expect(foreign).toEqual([]);
  });

  test("the search finds, by keyboard, from a guide", async () => {
    const { context, foreign } = await openWatched(own(), docs.url);
    const page = await context.newPage();
    await page.goto(`${docs.url}guides/webhooks`);
    await page.keyboard.press("/");
    await page.keyboard.type("idempot key reused");
    await page.getByRole("option").first().waitFor();
    expect(await page.getByRole("option").first().innerText()).toContain("IDEMPOTENCY_KEY_REUSED");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/errors\/IDEMPOTENCY_KEY_REUSED\.html$/);
    await page.keyboard.press("/");
    await page.keyboard.type("create a wallet");
    await page.getByRole("option").getByText("Gateway API reference").first().click();
    await page.waitForURL(/\/reference\/gateway\/tags\/wallets\.html#createwallet$/);
    await page.keyboard.press("/");
    await page.keyboard.type("revoke tokens");
    await page.getByRole("option").getByText("Gateway identity provider reference").first().click();
    await page.waitForURL(/\/reference\/auth\/tags\/tokens\.html#revoketoken$/);
    await context.close();
    expect(foreign).toEqual([]);
  });

  test("a search that finds nothing says so, and leads on by keyboard", async () => {
    const { context, foreign } = await openWatched(own(), docs.url);
    const page = await context.newPage();
    await page.goto(`${docs.url}guides/webhooks`);
    await page.keyboard.press("/");
    await page.keyboard.type("xylophone");
    await page.getByText("Nothing found for “xylophone”").waitFor();
    expect(await page.getByRole("option").count()).toBeGreaterThan(3);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/guides\/first-call\.html$/);
    await context.close();
    expect(foreign).toEqual([]);
  });

  test("opened from a folder, without any server, pages, search and reference work", async () => {
    const root = `file://${folder}/`;
    const { context, foreign, faults } = await openWatched(own(), "file://");
    const page = await context.newPage();
    await page.goto(`${root}guides/webhooks.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("rate limits");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option").first().click();
    await page.waitForURL(`${root}guides/rate-limits.html`);
    await page.goto(`${root}reference/gateway/tags/wallets.html#createwallet`);
    await waitUntilInView(page, "Create a wallet");
    await context.close();
    expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
  });

  test("light or dark is chosen once and kept, in the reference too", async () => {
    const { context } = await openWatched(own(), docs.url, { colorScheme: "light" });
    const page = await context.newPage();
    await page.goto(docs.url);
    const background = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "Light or dark" }).click();
    expect(await background()).toBe("rgb(14, 16, 20)");
    for (const path of ["guides/errors", "reference/gateway/tags/wallets"]) {
      await page.goto(docs.url + path);
      expect(await background()).toBe("rgb(14, 16, 20)");
      expect(await page.evaluate("document.documentElement.className")).toBe("dark");
    }
    await context.close();
  });

  test("tabs are worked by keyboard and remembered on the next page, and a snippet is copied whole", async () => {
    const { context } = await openWatched(own(), docs.url, { permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${docs.url}guides/idempotency`);
    await page.getByRole("tab", { name: "curl" }).first().focus();
    await page.keyboard.press("ArrowRight");
    await page.goto(`${docs.url}guides/pagination`);
    const panel = page.getByRole("tabpanel").first();
    expect(await panel.innerText()).toContain('import { client } from "./client.ts";');
    await panel.getByRole("button", { name: "Copy" }).click();
    await panel.getByText("Copied").waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await panel.locator("code").textContent());
    await context.close();
  });

  test("without scripts everything is there: both snippets of a pair, the reference, and the menu of a phone", async () => {
    const { context } = await openWatched(own(), docs.url, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto(`${docs.url}guides/pagination`);
    await page.getByText("curl").first().waitFor();
    await page.getByText("for await (const wallet of").first().waitFor();
    expect(await page.getByRole("link", { name: "Idempotency" }).first().isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.locator("#navigation").getByRole("link", { name: "Idempotency" }).click();
    await page.waitForURL(/idempotency\.html$/);
    await page.goto(`${docs.url}reference/gateway/tags/wallets#createwallet`);
    await waitUntilInView(page, "Create a wallet");
    await context.close();
  });

  test("a page that is not there says so, wherever it would have been", async () => {
    const { context, faults } = await openWatched(own(), docs.url);
    const page = await context.newPage();
    const answer = await page.goto(`${docs.url}guides/deep/down/404`);
    expect(answer?.status()).toBe(404);
    await page.getByRole("link", { name: "First call in five minutes" }).last().click();
    await page.waitForURL(`${docs.url}guides/first-call.html`);
    await context.close();
    expect(faults.filter((fault) => !fault.includes("404 (Not Found)"))).toEqual([]);
  });

  test("no kind of page asks anybody else for anything, has an error, or is wider than a phone", async () => {
    const { context, foreign, faults } = await openWatched(own(), docs.url, { viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const wide: string[] = [];
    for (const path of Object.values(kindsOfPages)) {
      await page.goto(docs.url + path);
      if ((await page.evaluate("document.documentElement.scrollWidth - innerWidth")) !== 0) {
        wide.push(path);
      }
    }
    await context.close();
    expect({ foreign, faults, wide }).toEqual({ foreign: [], faults: [], wide: [] });
  });

  test.each(Object.entries(kindsOfPages))("axe finds nothing serious on: %s", async (_, path) => {
    const { context } = await openWatched(own(), docs.url, { bypassCSP: true });
    const page = await context.newPage();
    await page.goto(docs.url + path);
    const serious = await findSerious(page);
    await context.close();
    expect(serious).toEqual([]);
  });
});
