import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readKey } from "./support/authenticator-app.ts";
import { launchChromium } from "./support/chromium.ts";
import { signInAtSpa, startChromiumWorld, userOfSpa, type ChromiumWorld } from "./support/chromium-world.ts";
import { checkPage } from "./support/inspect-page.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import { goodPassword, type TestPages } from "./support/pages.ts";
import type { SpaServer } from "./support/spa-server.ts";
import type { Person } from "./support/test-auth.ts";

const chromium = await launchChromium();

describe.skipIf(!chromium)("in Chromium", () => {
  let world: ChromiumWorld;
  let pages: TestPages;
  let spa: SpaServer;
  let registrar: Person;
  let page: Page;

  beforeAll(async () => {
    world = await startChromiumWorld(chromium);
    ({ pages, spa, registrar } = world);
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    page = await world.openPage();
  });
  afterEach(() => world.closePages());

  test("an application built with oidc-client-ts: sign-up by mail, consent, tokens, refresh, and again", async () => {
    const email = "chromium@example.com";
    await signInAtSpa(page, spa);
    await page.click("text=Create an account");
    await page.fill("#email", email);
    await page.click("button[type=submit]");
    await page.waitForSelector("text=Check your mail");
    await page.goto(await pages.linkTo(email));
    await page.fill("#name", "Chromium User");
    await page.fill("#new-password", goodPassword);
    await page.click("button[type=submit]");
    await page.waitForSelector("text=Allow “Ledger viewer”?");
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${spa.origin}/**`);
    const user = await userOfSpa(page);
    expect(user.profile).toMatchObject({ email, email_verified: true, name: "Chromium User" });
    expect(user.refreshToken).toBeTruthy();

    await page.evaluate("window.refresh()");
    const refreshed = await userOfSpa(page);
    expect(refreshed.error).toBeUndefined();
    expect(refreshed.refreshToken).not.toBe(user.refreshToken);

    await signInAtSpa(page, spa);
    // The application is on this machine, so the user has to consent each time.
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${spa.origin}/**`);
    expect((await userOfSpa(page)).profile).toMatchObject({ email });
  });

  test("without script: sign-up to consent", async () => {
    page = await world.openPage({ javaScriptEnabled: false });
    const email = "no-script@example.com";
    const application = await pages.auth.createApplication(registrar.account, { redirectUris: [spa.redirectUri] });
    const client = createOauthClient(pages.auth, application);
    await page.goto(client.authorizeUrl());
    expect(await page.isVisible("text=Sign in with a passkey")).toBe(false);
    await page.click("text=Create an account");
    await page.fill("#email", email);
    await page.click("button[type=submit]");
    await page.goto(await pages.linkTo(email));
    await page.fill("#name", "No Script");
    await page.fill("#new-password", goodPassword);
    await page.click("button[type=submit]");
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${spa.redirectUri}**`);
    expect(new URL(page.url()).searchParams.get("code")).toBeTruthy();
  });

  test("a password can be seen, a new one gets a word, and recovery codes are copied and downloaded", async () => {
    const email = "fields@example.com";
    await page.goto("/sign-up");
    await page.fill("#email", email);
    await page.click("button[type=submit]");
    await page.waitForSelector("text=Check your mail");
    await page.goto(await pages.linkTo(email));
    await page.fill("#name", "Grace Hopper");
    const word = page.getByRole("status");
    for (const [typed, said] of [
      ["password1234", "Easy to guess: it is tried first"],
      ["Grace Hopper1", "Easy to guess: it is tried first"],
      ["ferry", "Too short: 7 characters more"],
      [goodPassword, "Strong"],
    ] as const) {
      await page.fill("#new-password", typed);
      expect(await word.textContent()).toBe(said);
    }
    const show = page.getByRole("button", { name: "Show: New password" });
    await show.click();
    expect([await page.getAttribute("#new-password", "type"), await show.getAttribute("aria-pressed")]).toEqual([
      "text",
      "true",
    ]);
    await checkPage(page, "sign-up-shown-password");
    await page.click("button[type=submit]");
    await page.goto("/account/authenticator");
    const key = (await page.textContent(".key")) ?? "";
    await page.fill("#code", readKey(pages, `<code class="key">${key}</code>`).code());
    await page.click("button[type=submit]");
    await page.waitForSelector("text=Keep your recovery codes");
    const codes = await page.locator(".codes code").allTextContents();
    codes.forEach((code) => pages.auth.watch.note(code));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: pages.auth.origin });
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(codes.join("\n"));
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("gateway-recovery-codes.txt");
    expect(await readFile(await download.path(), "utf8")).toContain(codes.join("\n"));
    await checkPage(page, "recovery-codes-kept");
  });

  test("a page of ours in a frame of somebody else's is refused", async () => {
    await page.goto(`${spa.origin}/frame?url=${encodeURIComponent(`${pages.auth.origin}/sign-in`)}`);
    const [, frame] = page.frames();
    expect(await frame?.$("form")).toBeNull();
    expect(frame?.url()).toContain("chrome-error:");
    expect(world.takeComplaints().join()).toContain("frame-ancestors");
  });
});
