import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addAuthenticator, addPasskey } from "./support/add-authenticator.ts";
import { launchChromium } from "./support/chromium.ts";
import {
  signInAlone,
  signInAtSpa,
  signOut,
  startChromiumWorld,
  userOfSpa,
  type ChromiumWorld,
} from "./support/chromium-world.ts";
import { checkPage } from "./support/inspect-page.ts";
import type { TestPages } from "./support/pages.ts";
import type { SpaServer } from "./support/spa-server.ts";

const chromium = await launchChromium();

describe.skipIf(!chromium)("passkeys in Chromium", () => {
  let world: ChromiumWorld;
  let pages: TestPages;
  let spa: SpaServer;
  let page: Page;

  beforeAll(async () => {
    world = await startChromiumWorld(chromium);
    ({ pages, spa } = world);
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    page = await world.openPage();
  });
  afterEach(() => world.closePages());

  test("passkeys: added, used to sign in also when passwords are throttled and for an application, renamed, removed", async () => {
    const person = await pages.auth.createPerson();
    await addAuthenticator(page);
    await signInAlone(page, person);
    await page.click("text=Add a passkey");
    await page.fill("#name", "Laptop <b>");
    await page.click("text=Add passkey");
    await page.waitForSelector("text=The passkey is added.");
    expect(await page.isVisible("text=Laptop <b>")).toBe(true);
    expect((await pages.mailsTo(person.user.email)).map(({ kind }) => kind)).toEqual(["passkey_added"]);
    await checkPage(page, "account-with-passkey");

    // The same device a second time.
    await page.click("text=Add a passkey");
    await page.waitForSelector("text=Confirm that it is you");
    await page.click('button:has-text("Sign in with a passkey")');
    await page.fill("#name", "Again");
    await page.click("button:has-text('Add passkey')");
    await page.waitForSelector("text=This device has a passkey for you already.");
    await checkPage(page, "passkey-add-twice");

    await signOut(page);
    for (let number = 1; number <= 11; number += 1) {
      await page.goto("/sign-in");
      await page.fill("#email", person.user.email);
      await page.fill("#password", "not the password");
      await page.press("#password", "Enter");
      await page.waitForSelector(".faults:not([hidden])");
    }
    expect(await page.isVisible("text=Too many attempts")).toBe(true);
    await checkPage(page, "sign-in-throttled");
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForURL("**/account");

    await signOut(page);
    await signInAtSpa(page, spa);
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForSelector("text=Allow “Ledger viewer”?");
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${spa.origin}/**`);
    expect((await userOfSpa(page)).profile).toMatchObject({ email: person.user.email });

    await page.goto("/account");
    await page.click(`[aria-label^="Change passkey"]`);
    await page.fill("#name", "Desk");
    await page.click("text=Rename");
    await page.waitForSelector("text=The passkey has its new name.");
    await page.click(`[aria-label="Change passkey Desk"]`);
    await page.waitForSelector("text=Remove passkey");
    await checkPage(page, "passkey");
    await page.click("text=Remove passkey");
    await page.waitForSelector("text=The passkey is removed.");
    await signOut(page);
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForSelector("text=The passkey was not accepted.");
  });

  test("a passkey is offered in the field of the address, and signs in from there", async () => {
    const person = await pages.auth.createPerson();
    await addAuthenticator(page, { isOfferedInField: true });
    await signInAlone(page, person);
    await addPasskey(page);
    await signOut(page);
    await page.waitForURL("**/account");
    expect(new URL(page.url()).pathname).toBe("/account");
  });

  test("what is wrong with its name is said before the device makes a passkey", async () => {
    const person = await pages.auth.createPerson();
    await addAuthenticator(page);
    await signInAlone(page, person);
    await page.click("text=Add a passkey");
    let asked = 0;
    await page.exposeFunction("countCreation", () => (asked += 1));
    await page.evaluate(`{
      const create = navigator.credentials.create.bind(navigator.credentials);
      navigator.credentials.create = (...given) => { window.countCreation(); return create(...given); };
    }`);
    await page.fill("#name", "x".repeat(101));
    await page.click("button:has-text('Add passkey')");
    await page.waitForSelector("text=Enter a name for the passkey in at most 100 characters.");
    expect(asked).toBe(0);
    await page.fill("#name", "Desk");
    await page.click("button:has-text('Add passkey')");
    await page.waitForSelector("text=The passkey is added.");
  });

  test("a passkey's answer counts once, in the browser that was asked", async () => {
    const person = await pages.auth.createPerson();
    await addAuthenticator(page);
    await signInAlone(page, person);
    await addPasskey(page);
    await signOut(page);
    // A page that was left open for too long asks again.
    pages.clock.advance(15 * 60_000);
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForSelector("text=The passkey was not accepted.");
    const sent = page.waitForRequest(
      (request) => request.url().endsWith("/sign-in/passkey") && request.method() === "POST",
    );
    await page.click('button:has-text("Sign in with a passkey")');
    const credential = new URLSearchParams((await sent).postData() ?? "").get("credential") ?? "";
    expect(credential).toContain("clientDataJSON");
    await page.waitForURL("**/account");
    const browserCookie = (await page.context().cookies()).find(({ name }) => name === "browser")?.value ?? "";

    for (const isSameBrowser of [true, false]) {
      const thief = pages.openBrowser();
      if (isSameBrowser) {
        (thief.cookies as Map<string, string>).set("browser", browserCookie);
      }
      const form = (await thief.open("/sign-in")).forms.find(({ action }) => action === "/sign-in/passkey");
      const answer = await thief.submit(form, { credential });
      expect([answer.status, thief.cookies.has("session")]).toEqual([422, false]);
    }
  });
});
