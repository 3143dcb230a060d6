import type { Page } from "playwright-core";
import { expect } from "vitest";
import { askForAccountEmail } from "./account-email-link.ts";
import { readKey } from "./authenticator-app.ts";
import { signInAtSpa, userOfSpa, type ChromiumWorld } from "./chromium-world.ts";
import { pressEnterOn, tabTo, typeInto } from "./keyboard.ts";
import { goodPassword } from "./pages.ts";

/** Gives a walk a page that was never used, and a check of each page that it reaches. */
export type Walk = Pick<ChromiumWorld, "pages" | "spa" | "registrar"> & {
  page: Page;
  inspect(name: string): Promise<void>;
};

/** Walks that come to every page of the identity provider by keyboard alone. */
export const keyboardWalks: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  "signing up, a fault at its field, the account, another password, signing out and in": async ({
    page,
    pages,
    inspect,
  }) => {
    const email = "keyboard@example.com";
    await page.goto("/sign-in");
    await inspect("sign-in");
    await pressEnterOn(page, "Create an account");
    await inspect("sign-up");
    await typeInto(page, "E-mail address", "nobody");
    await pressEnterOn(page, "Send me the link");
    await inspect("sign-up-fault");
    expect(await page.evaluate<string>("document.activeElement.className")).toBe("faults");
    // The fault leads to its field.
    await tabTo(page, /^Enter an e-mail address/);
    await page.keyboard.press("Enter");
    await typeInto(page, "E-mail address", email);
    await pressEnterOn(page, "Send me the link");
    await inspect("check-your-mail");
    const link = await pages.linkTo(email);
    await page.goto(link);
    await inspect("sign-up-finish");
    await typeInto(page, "Your name", "Key Board");
    await typeInto(page, "New password", "short");
    await pressEnterOn(page, "Create account");
    await inspect("sign-up-finish-fault");
    await typeInto(page, "New password", goodPassword);
    await pressEnterOn(page, "Create account");
    await inspect("first-key");
    await pressEnterOn(page, "Create the key");
    await inspect("first-key-made");
    expect(await page.isVisible("text=X-API-Key: gk_test_")).toBe(true);
    await pressEnterOn(page, "Your account");
    await inspect("account-new");
    await pressEnterOn(page, "Change name");
    await inspect("account-name");
    await typeInto(page, "Your name", "Board Key");
    await pressEnterOn(page, "Change name");
    await pressEnterOn(page, "Change e-mail address");
    await inspect("account-email");
    await typeInto(page, "New e-mail address", "other@example.com");
    await pressEnterOn(page, "Send me the link");
    await page.goto(await pages.linkTo("other@example.com"));
    await inspect("account-email-confirm");
    await pressEnterOn(page, "Keep the old one");
    await pressEnterOn(page, "Change password");
    await inspect("password");
    await typeInto(page, "Current password", goodPassword);
    await typeInto(page, "New password", "orbit walnut candle ferry");
    await tabTo(page, /^Disconnect all applications too/);
    await page.keyboard.press("Space");
    await pressEnterOn(page, "Change password");
    expect(await page.isVisible("text=Your password is changed")).toBe(true);
    await pressEnterOn(page, "Sign out");
    await inspect("sign-out");
    await pressEnterOn(page, "Sign out");
    await inspect("signed-out");
    await typeInto(page, "E-mail address", email);
    await typeInto(page, "Password", "orbit walnut candle ferry");
    await pressEnterOn(page, "Sign in");
    expect(new URL(page.url()).pathname).toBe("/account");
    await pressEnterOn(page, "Close it: Key Board");
    await inspect("account-close");
    await typeInto(page, "Name of the account", "Key");
    await pressEnterOn(page, "Close the account");
    await inspect("account-close-fault");
    await typeInto(page, "Name of the account", "Key Board");
    await pressEnterOn(page, "Close the account");
    await inspect("account-closed");
    await page.goto(link);
    await inspect("link-over");
  },

  "the address that an account is to be written to, by who has no user here": async ({ page, pages, inspect }) => {
    const { account } = await pages.auth.createPerson();
    const link = await askForAccountEmail(pages, account, "books@example.com");
    await page.goto(link);
    await inspect("account-address-confirm");
    await pressEnterOn(page, "Use this address");
    await page.getByRole("heading", { name: "The address is confirmed" }).waitFor();
    await inspect("account-address-confirmed");
    await page.goto(link);
    await inspect("account-address-over");
    expect((await pages.auth.platform.accounts.get(account.id))?.email).toBe("books@example.com");
  },

  "a forgotten password": async ({ page, pages, inspect }) => {
    const person = await pages.auth.createPerson();
    await page.goto("/sign-in");
    await pressEnterOn(page, "Forgotten your password?");
    await inspect("password-forgotten");
    await typeInto(page, "E-mail address", person.user.email);
    await pressEnterOn(page, "Send me the link");
    await page.goto(await pages.linkTo(person.user.email));
    await inspect("password-reset");
    await typeInto(page, "New password", goodPassword);
    await pressEnterOn(page, "Set password");
    expect(await page.isVisible("text=Your password is changed")).toBe(true);
  },

  "an authenticator app: set up, asked for, the rule of an account, recovery codes, removed": async ({
    page,
    pages,
    spa,
    inspect,
  }) => {
    const person = await pages.auth.createPerson();
    const signIn = async (): Promise<void> => {
      await typeInto(page, "E-mail address", person.user.email);
      await typeInto(page, "Password", person.password);
      await pressEnterOn(page, "Sign in");
    };
    await pages.auth.platform.accounts.setOwnersNeedSecondFactor({ id: person.account.id, isNeeded: true });
    await signInAtSpa(page, spa);
    await signIn();
    await inspect("second-factor-needed");
    await pressEnterOn(page, "Set up an authenticator app");
    await inspect("authenticator-set-up");
    const app = readKey(pages, await page.content());
    await typeInto(page, "Code", "000000");
    await pressEnterOn(page, "Set up");
    await inspect("authenticator-set-up-fault");
    await typeInto(page, "Code", app.code());
    await pressEnterOn(page, "Set up");
    await inspect("recovery-codes");
    await pressEnterOn(page, "I have kept them");
    await pressEnterOn(page, "Allow");
    await page.waitForURL(`${spa.origin}/**`);
    expect((await userOfSpa(page)).error).toBeUndefined();

    await page.goto(`${pages.auth.origin}/account`);
    await inspect("account-with-authenticator");
    await pressEnterOn(page, /^Security: /);
    await inspect("account-rules");
    await tabTo(page, /^Owners need a second factor/);
    await page.keyboard.press("Space");
    await pressEnterOn(page, "Save");
    expect(await page.isVisible("text=The rules for owners are saved.")).toBe(true);

    await pressEnterOn(page, "Sign out");
    await pressEnterOn(page, "Sign out");
    await signIn();
    await inspect("code");
    await typeInto(page, "Code", "000000");
    await pressEnterOn(page, "Go on");
    await inspect("code-fault");
    await typeInto(page, "Code", app.nextCode());
    await pressEnterOn(page, "Go on");
    await pressEnterOn(page, "Change app");
    await inspect("authenticator");
    await pressEnterOn(page, "Remove authenticator app");
    expect(await page.isVisible("text=The authenticator app is removed.")).toBe(true);
  },

  "an application's sign-in and consent, its place in the account, and other devices": async ({
    page,
    pages,
    spa,
    inspect,
  }) => {
    const person = await pages.auth.createPerson();
    await pages.auth.createPerson({ user: person });
    await pages.signIn(
      pages.openBrowser({ userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:132.0) Gecko/20100101 Firefox/132.0" }),
      person,
    );
    await pages.signIn(pages.openBrowser({ userAgent: "Mozilla/5.0 (iPhone) Version/17.5 Safari/604.1" }), person);
    await signInAtSpa(page, spa);
    await inspect("interaction-sign-in");
    await typeInto(page, "E-mail address", person.user.email);
    await typeInto(page, "Password", person.password);
    await pressEnterOn(page, "Sign in");
    await inspect("consent");
    await tabTo(page, /Your role: owner/);
    await page.keyboard.press("ArrowDown");
    await pressEnterOn(page, "Allow");
    await page.waitForURL(`${spa.origin}/**`);
    expect((await userOfSpa(page)).error).toBeUndefined();
    await page.goto("/account");
    await inspect("account");
    await pressEnterOn(page, "Sign out: Firefox on Windows");
    expect(await page.isVisible("text=That device is signed out.")).toBe(true);
    await pressEnterOn(page, "Sign out all other devices");
    expect(await page.isVisible("text=All other devices are signed out.")).toBe(true);
    await pressEnterOn(page, "Disconnect: “Ledger viewer”");
    await inspect("application-disconnected");
    pages.clock.advance(16 * 60_000);
    await pressEnterOn(page, "Change password");
    await inspect("sign-in-again");
    await typeInto(page, "Password", person.password);
    await pressEnterOn(page, "Sign in");
    expect(new URL(page.url()).pathname).toBe("/account/password");
  },

  "an application signs its user out": async ({ page, pages, spa, inspect }) => {
    const person = await pages.auth.createPerson();
    await signInAtSpa(page, spa);
    await typeInto(page, "E-mail address", person.user.email);
    await typeInto(page, "Password", person.password);
    await pressEnterOn(page, "Sign in");
    await pressEnterOn(page, "Allow");
    await userOfSpa(page);
    await page.goto("/api/v1/end-session");
    await inspect("application-sign-out");
    await pressEnterOn(page, "Sign out");
    await inspect("application-signed-out");
    await page.goto("/account");
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  },

  "an invitation, and what is refused": async ({ page, pages, registrar, inspect }) => {
    const { platform, origin } = pages.auth;
    const email = "invited@example.com";
    const token = await platform.transaction(async ({ accounts, auth }) => {
      const { id } = await accounts.people.invite({ accountId: registrar.account.id, email, role: "member" });
      return auth.mailLinks.create({ purpose: "invitation", email, personId: id });
    });
    await page.goto(`${origin}/invitations/accept?token=${token}`);
    await inspect("invitation");
    await typeInto(page, "Your name", "Invited");
    await typeInto(page, "New password", goodPassword);
    await pressEnterOn(page, "Join");
    expect(await page.isVisible("text=You are a member of the account now.")).toBe(true);
    await pressEnterOn(page, "Add a passkey");
    await inspect("passkey-add");
    await page.goto(`${origin}/no-such-page`);
    await inspect("no-such-page");
    await page.goto(`${origin}/interaction/${"A".repeat(43)}`);
    await inspect("interaction-over");
  },
};
