import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { signInAtSpa, startChromiumWorld, userOfSpa, type ChromiumWorld } from "./support/chromium-world.ts";
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
    await page.click("button");
    await page.waitForSelector("text=Check your mail");
    await page.goto(await pages.linkTo(email));
    await page.fill("#name", "Chromium User");
    await page.fill("#new-password", goodPassword);
    await page.click("button");
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
    // It is on this machine, where the user is asked each time.
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
    await page.click("button");
    await page.goto(await pages.linkTo(email));
    await page.fill("#name", "No Script");
    await page.fill("#new-password", goodPassword);
    await page.click("button");
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${spa.redirectUri}**`);
    expect(new URL(page.url()).searchParams.get("code")).toBeTruthy();
  });

  test("a page of ours in a frame of somebody else's is refused", async () => {
    await page.goto(`${spa.origin}/frame?url=${encodeURIComponent(`${pages.auth.origin}/sign-in`)}`);
    const [, frame] = page.frames();
    expect(await frame?.$("form")).toBeNull();
    expect(frame?.url()).toContain("chrome-error:");
    expect(world.takeComplaints().join()).toContain("frame-ancestors");
  });
});
