import { beforeEach, describe, expect, test } from "vitest";
import { addPasskeyTo, enter } from "./support/factors.ts";
import { formAt, goodPassword, textOf } from "./support/pages.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0";

describe("somebody is told by mail", () => {
  const pages = usePages();
  let person: Person;

  beforeEach(async () => {
    person = await pages.auth.createPerson();
  });

  const attempt = async (
    email: string,
    password: string,
    browser: Browser = pages.openBrowser(),
  ): Promise<BrowserPage> => browser.fill("/sign-in", { email, password });
  const kindsTo = async (email: string): Promise<string[]> => (await pages.noticesTo(email)).map(({ kind }) => kind);

  test("of the first sign-in on a device, and not of the next", async () => {
    const browser = pages.openBrowser({ userAgent: firefox, address: "203.0.113.80" });
    await pages.signIn(browser, person);
    expect(await pages.noticesTo(person.user.email)).toEqual([
      {
        kind: "signed_in_on_new_device",
        url: `${pages.auth.origin}/account`,
        device: "Firefox on Windows",
        clientAddress: "203.0.113.80",
        isLast: false,
      },
    ]);
    await browser.fill("/sign-out");
    await pages.signIn(browser, person);
    expect(await kindsTo(person.user.email)).toHaveLength(1);
    await pages.signIn(pages.openBrowser(), person);
    expect(await kindsTo(person.user.email)).toHaveLength(2);
  });

  test("not of a wrong password, nor of the device that signed up", async () => {
    expect((await attempt(person.user.email, "not the password")).status).toBe(422);
    const browser = pages.openBrowser();
    const email = `new-${person.user.id}@example.com`;
    await pages.signUp(browser, email, goodPassword);
    await browser.fill("/sign-out");
    await attempt(email, goodPassword, browser);
    expect([await kindsTo(person.user.email), await kindsTo(email)]).toEqual([[], []]);
  });

  test("of a passkey that was removed, by its name", async () => {
    const browser = pages.openBrowser({ userAgent: firefox, address: "203.0.113.81" });
    await pages.signIn(browser, person);
    const passkey = { id: await addPasskeyTo(pages, person.user.id, "Phone") };
    await enter(pages, browser, { userId: person.user.id, method: "passkey" });
    const page = await browser.open(`/account/passkeys/${passkey.id}`);
    const removal = page.forms.find(({ action }) => action.endsWith("/remove"));
    expect(textOf(await browser.submit(removal))).not.toContain("Phone");
    expect((await pages.noticesTo(person.user.email)).at(-1)).toEqual({
      kind: "passkey_removed",
      url: `${pages.auth.origin}/account`,
      passkeyNames: ["Phone"],
      device: "Firefox on Windows",
      clientAddress: "203.0.113.81",
      isLast: false,
    });
    await browser.submit(removal);
    expect(await kindsTo(person.user.email)).toEqual(["signed_in_on_new_device", "passkey_removed"]);
  });

  test("of the first key of their account", async () => {
    const browser = pages.openBrowser();
    await pages.signIn(browser, person);
    const page = await browser.open(`/account/first-key/${person.account.id}`);
    await browser.submit(formAt(page, `/account/first-key/${person.account.id}`));
    expect((await pages.noticesTo(person.user.email)).at(-1)).toMatchObject({
      kind: "admin_key_created",
      accountEmail: person.account.email,
      by: `${person.user.email}, signed in to their account`,
    });
  });

  test("of a lockout, once in an hour however many go on; nobody where there is no user", async () => {
    for (const email of [person.user.email, "nobody-at-all@example.com"]) {
      for (let number = 1; number <= 13; number += 1) {
        await attempt(email, "not the password");
      }
    }
    expect(await pages.noticesTo(person.user.email)).toMatchObject([
      { kind: "sign_in_locked", url: `${pages.auth.origin}/password/forgotten`, isLast: true },
    ]);
    expect(await kindsTo("nobody-at-all@example.com")).toEqual([]);
    pages.clock.advance(60 * 60_000);
    for (let number = 1; number <= 11; number += 1) {
      await attempt(person.user.email, "not the password");
    }
    expect(await kindsTo(person.user.email)).toHaveLength(2);
  });

  test("not of a lockout of the client address, which is not theirs", async () => {
    const address = "203.0.113.99";
    for (let number = 1; number <= 51; number += 1) {
      await attempt(`crowd-${number}@example.com`, "x", pages.openBrowser({ address }));
    }
    expect((await attempt(person.user.email, "x", pages.openBrowser({ address }))).status).toBe(429);
    expect(await kindsTo(person.user.email)).toEqual([]);
  });
});
