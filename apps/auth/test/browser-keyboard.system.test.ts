import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askForAccountEmail } from "./support/account-email-link.ts";
import { readKey } from "./support/authenticator-app.ts";
import { launchChromium } from "./support/chromium.ts";
import { signInAtSpa, startChromiumWorld, userOfSpa, type ChromiumWorld } from "./support/chromium-world.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { pressEnterOn, tabTo, typeInto } from "./support/keyboard.ts";
import { goodPassword, type TestPages } from "./support/pages.ts";
import type { SpaServer } from "./support/spa-server.ts";
import type { Person } from "./support/test-auth.ts";

const chromium = await launchChromium();

describe.skipIf(!chromium)("by keyboard alone, with nothing for axe to find", () => {
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

  test("signing up, a fault at its field, the account, another password, signing out and in", async () => {
    const email = "keyboard@example.com";
    await page.goto("/sign-in");
    await inspectPage(page, "sign-in");
    await pressEnterOn(page, "Create an account");
    await inspectPage(page, "sign-up");
    await typeInto(page, "E-mail address", "nobody");
    await pressEnterOn(page, "Send me the link");
    await inspectPage(page, "sign-up-fault");
    expect(await page.evaluate<string>("document.activeElement.className")).toBe("faults");
    // The fault leads to its field.
    await tabTo(page, /^Enter an e-mail address/);
    await page.keyboard.press("Enter");
    await typeInto(page, "E-mail address", email);
    await pressEnterOn(page, "Send me the link");
    await inspectPage(page, "check-your-mail");
    const link = await pages.linkTo(email);
    await page.goto(link);
    await inspectPage(page, "sign-up-finish");
    await typeInto(page, "Your name", "Key Board");
    await typeInto(page, "New password", "short");
    await pressEnterOn(page, "Create account");
    await inspectPage(page, "sign-up-finish-fault");
    await typeInto(page, "New password", goodPassword);
    await pressEnterOn(page, "Create account");
    await inspectPage(page, "first-key");
    await pressEnterOn(page, "Create the key");
    await inspectPage(page, "first-key-made");
    expect(await page.isVisible("text=X-API-Key: gk_test_")).toBe(true);
    await pressEnterOn(page, "Your account");
    await inspectPage(page, "account-new");
    await pressEnterOn(page, "Change name");
    await inspectPage(page, "account-name");
    await typeInto(page, "Your name", "Board Key");
    await pressEnterOn(page, "Change name");
    await pressEnterOn(page, "Change e-mail address");
    await inspectPage(page, "account-email");
    await typeInto(page, "New e-mail address", "other@example.com");
    await pressEnterOn(page, "Send me the link");
    await page.goto(await pages.linkTo("other@example.com"));
    await inspectPage(page, "account-email-confirm");
    await pressEnterOn(page, "Keep the old one");
    await pressEnterOn(page, "Change password");
    await inspectPage(page, "password");
    await typeInto(page, "Current password", goodPassword);
    await typeInto(page, "New password", "orbit walnut candle ferry");
    await tabTo(page, /^Disconnect all applications too/);
    await page.keyboard.press("Space");
    await pressEnterOn(page, "Change password");
    expect(await page.isVisible("text=Your password is changed")).toBe(true);
    await pressEnterOn(page, "Sign out");
    await inspectPage(page, "sign-out");
    await pressEnterOn(page, "Sign out");
    await inspectPage(page, "signed-out");
    await typeInto(page, "E-mail address", email);
    await typeInto(page, "Password", "orbit walnut candle ferry");
    await pressEnterOn(page, "Sign in");
    expect(new URL(page.url()).pathname).toBe("/account");
    await pressEnterOn(page, "Close it: Key Board");
    await inspectPage(page, "account-close");
    await typeInto(page, "Name of the account", "Key");
    await pressEnterOn(page, "Close the account");
    await inspectPage(page, "account-close-fault");
    await typeInto(page, "Name of the account", "Key Board");
    await pressEnterOn(page, "Close the account");
    await inspectPage(page, "account-closed");
    await page.goto(link);
    await inspectPage(page, "link-over");
  });

  test("the address that an account is to be written to, by who has no user here", async () => {
    const { account } = await pages.auth.createPerson();
    const link = await askForAccountEmail(pages, account, "books@example.com");
    await page.goto(link);
    await inspectPage(page, "account-address-confirm");
    await pressEnterOn(page, "Use this address");
    await page.getByRole("heading", { name: "The address is confirmed" }).waitFor();
    await inspectPage(page, "account-address-confirmed");
    await page.goto(link);
    await inspectPage(page, "account-address-over");
    expect((await pages.auth.platform.accounts.get(account.id))?.email).toBe("books@example.com");
  });

  test("a forgotten password", async () => {
    const person = await pages.auth.createPerson();
    await page.goto("/sign-in");
    await pressEnterOn(page, "Forgotten your password?");
    await inspectPage(page, "password-forgotten");
    await typeInto(page, "E-mail address", person.user.email);
    await pressEnterOn(page, "Send me the link");
    await page.goto(await pages.linkTo(person.user.email));
    await inspectPage(page, "password-reset");
    await typeInto(page, "New password", goodPassword);
    await pressEnterOn(page, "Set password");
    expect(await page.isVisible("text=Your password is changed")).toBe(true);
  });

  test("an authenticator app: set up, asked for, the rule of an account, recovery codes, removed", async () => {
    const person = await pages.auth.createPerson();
    const signIn = async (): Promise<void> => {
      await typeInto(page, "E-mail address", person.user.email);
      await typeInto(page, "Password", person.password);
      await pressEnterOn(page, "Sign in");
    };
    await pages.auth.platform.accounts.setOwnersNeedSecondFactor({ id: person.account.id, isNeeded: true });
    await signInAtSpa(page, spa);
    await signIn();
    await inspectPage(page, "second-factor-needed");
    await pressEnterOn(page, "Set up an authenticator app");
    await inspectPage(page, "authenticator-set-up");
    const app = readKey(pages, await page.content());
    await typeInto(page, "Code", "000000");
    await pressEnterOn(page, "Set up");
    await inspectPage(page, "authenticator-set-up-fault");
    await typeInto(page, "Code", app.code());
    await pressEnterOn(page, "Set up");
    await inspectPage(page, "recovery-codes");
    await pressEnterOn(page, "I have kept them");
    await pressEnterOn(page, "Allow");
    await page.waitForURL(`${spa.origin}/**`);
    expect((await userOfSpa(page)).error).toBeUndefined();

    await page.goto(`${pages.auth.origin}/account`);
    await inspectPage(page, "account-with-authenticator");
    await pressEnterOn(page, /^Security: /);
    await inspectPage(page, "account-rules");
    await tabTo(page, /^Owners need a second factor/);
    await page.keyboard.press("Space");
    await pressEnterOn(page, "Save");
    expect(await page.isVisible("text=What the account asks of its owners is saved.")).toBe(true);

    await pressEnterOn(page, "Sign out");
    await pressEnterOn(page, "Sign out");
    await signIn();
    await inspectPage(page, "code");
    await typeInto(page, "Code", "000000");
    await pressEnterOn(page, "Go on");
    await inspectPage(page, "code-fault");
    await typeInto(page, "Code", app.nextCode());
    await pressEnterOn(page, "Go on");
    await pressEnterOn(page, "Change app");
    await inspectPage(page, "authenticator");
    await pressEnterOn(page, "Remove authenticator app");
    expect(await page.isVisible("text=The authenticator app is removed.")).toBe(true);
  });

  test("an application's sign-in and consent, its place in the account, and other devices", async () => {
    const person = await pages.auth.createPerson();
    await pages.auth.createPerson({ user: person });
    await pages.signIn(
      pages.openBrowser({ userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:132.0) Gecko/20100101 Firefox/132.0" }),
      person,
    );
    await pages.signIn(pages.openBrowser({ userAgent: "Mozilla/5.0 (iPhone) Version/17.5 Safari/604.1" }), person);
    await signInAtSpa(page, spa);
    await inspectPage(page, "interaction-sign-in");
    await typeInto(page, "E-mail address", person.user.email);
    await typeInto(page, "Password", person.password);
    await pressEnterOn(page, "Sign in");
    await inspectPage(page, "consent");
    await tabTo(page, /Your role: owner/);
    await page.keyboard.press("ArrowDown");
    await pressEnterOn(page, "Allow");
    await page.waitForURL(`${spa.origin}/**`);
    expect((await userOfSpa(page)).error).toBeUndefined();
    await page.goto("/account");
    await inspectPage(page, "account");
    await pressEnterOn(page, "Sign out: Firefox on Windows");
    expect(await page.isVisible("text=That device is signed out.")).toBe(true);
    await pressEnterOn(page, "Sign out all other devices");
    expect(await page.isVisible("text=All other devices are signed out.")).toBe(true);
    await pressEnterOn(page, "Disconnect: “Ledger viewer”");
    await inspectPage(page, "application-disconnected");
    pages.clock.advance(16 * 60_000);
    await pressEnterOn(page, "Change password");
    await inspectPage(page, "sign-in-again");
    await typeInto(page, "Password", person.password);
    await pressEnterOn(page, "Sign in");
    expect(new URL(page.url()).pathname).toBe("/account/password");
  });

  test("an application signs its user out", async () => {
    const person = await pages.auth.createPerson();
    await signInAtSpa(page, spa);
    await typeInto(page, "E-mail address", person.user.email);
    await typeInto(page, "Password", person.password);
    await pressEnterOn(page, "Sign in");
    await pressEnterOn(page, "Allow");
    await userOfSpa(page);
    await page.goto("/api/v1/end-session");
    await inspectPage(page, "application-sign-out");
    await pressEnterOn(page, "Sign out");
    await inspectPage(page, "application-signed-out");
    await page.goto("/account");
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });

  test("an invitation, and what is refused", async () => {
    const { platform, origin } = pages.auth;
    const email = "invited@example.com";
    const token = await platform.transaction(async ({ accounts, auth }) => {
      const { id } = await accounts.people.invite({ accountId: registrar.account.id, email, role: "member" });
      return auth.mailLinks.create({ purpose: "invitation", email, personId: id });
    });
    await page.goto(`${origin}/invitations/accept?token=${token}`);
    await inspectPage(page, "invitation");
    await typeInto(page, "Your name", "Invited");
    await typeInto(page, "New password", goodPassword);
    await pressEnterOn(page, "Join");
    expect(await page.isVisible("text=You are a member of the account now.")).toBe(true);
    await pressEnterOn(page, "Add a passkey");
    await inspectPage(page, "passkey-add");
    await page.goto(`${origin}/no-such-page`);
    await inspectPage(page, "no-such-page");
    await page.goto(`${origin}/interaction/${"A".repeat(43)}`);
    await inspectPage(page, "interaction-over");
  });
});
