import { provesFactor, type SecondFactor, type SignInMethod } from "@gateway/platform/auth";
import { describe, expect, test } from "vitest";

import { setUpAuthenticator } from "./support/authenticator-app.ts";
import { addPasskeyTo, enter } from "./support/factors.ts";
import { formAt, goodPassword, pathOf, type TestPages } from "./support/pages.ts";
import { usePages } from "./support/use-pages.ts";

const helds = [
  { hasApp: false, passkeyCount: 1 },
  { hasApp: true, passkeyCount: 0 },
  { hasApp: true, passkeyCount: 2 },
];
const ways: { method: SignInMethod; secondFactor: SecondFactor | null }[] = [
  { method: "password", secondFactor: null },
  { method: "link", secondFactor: null },
  { method: "passkey", secondFactor: null },
  { method: "password", secondFactor: "totp" },
  { method: "password", secondFactor: "recovery_code" },
  { method: "link", secondFactor: "totp" },
  { method: "link", secondFactor: "recovery_code" },
];

describe("what protects a user is changed by who proved a factor that is there", () => {
  const pages = usePages();

  /** Sends a form without having opened its page. The CSRF token belongs to the browser, so it is valid. */
  const post = async (browser: ReturnType<TestPages["openBrowser"]>, action: string) => {
    const own = await browser.open("/account/name");
    const form = own.forms.find(({ action: to }) => to === "/account/name");
    return browser.submit(form && { ...form, action }, { name: "Mine", code: "000000", secret: "x", credential: "{}" });
  };
  const create = async (held: (typeof helds)[number]) => {
    const person = await pages.auth.createPerson();
    const browser = pages.openBrowser();
    if (held.hasApp) {
      await enter(pages, browser, { userId: person.user.id, method: "password" });
      await setUpAuthenticator(pages, browser);
    }
    const passkeys: string[] = [];
    for (let count = 0; count < held.passkeyCount; count += 1) {
      passkeys.push(await addPasskeyTo(pages, person.user.id));
    }
    return { person, browser, passkeyId: passkeys[0] ?? "none" };
  };
  const factorsOf = (userId: string) => pages.auth.platform.auth.factors.find(userId);

  describe.each(helds)("with an app: $hasApp, passkeys: $passkeyCount", (held) => {
    test.each(ways)("after $method and $secondFactor every page follows the rule", async (way) => {
      const { person, browser, passkeyId } = await create(held);
      await enter(pages, browser, { userId: person.user.id, ...way });
      const shown = ["/account/authenticator", "/account/passkeys/add", `/account/passkeys/${passkeyId}`];
      const sent = [
        "/account/passkeys/add",
        `/account/passkeys/${passkeyId}`,
        "/account/authenticator",
        "/account/authenticator/recovery-codes",
      ];
      const isEnough = provesFactor(held, way);
      for (const path of shown) {
        expect([path, pathOf(await browser.open(path)) === "/sign-in/again"]).toEqual([path, !isEnough]);
      }
      for (const path of sent) {
        expect([path, pathOf(await post(browser, path)) === "/sign-in/again"]).toEqual([path, !isEnough]);
      }
      const removals = [`/account/passkeys/${passkeyId}/remove`, "/account/authenticator/remove"];
      for (const path of isEnough ? [] : removals) {
        expect(pathOf(await post(browser, path))).toBe("/sign-in/again");
      }
      expect(await factorsOf(person.user.id)).toEqual(held);
    });
  });

  test.each(helds)("a new password by mail changes none, and is no proof (%j)", async (held) => {
    const { person } = await create(held);
    const browser = pages.openBrowser();
    await browser.fill("/password/forgotten", { email: person.user.email });
    const reset = await browser.open(await pages.linkTo(person.user.email));
    const page = await browser.submit(reset.forms[0], { "new-password": goodPassword, passkeys: "yes" });
    expect(formAt(page, "/password/reset/code") !== undefined).toBe(held.hasApp);
    expect(await factorsOf(person.user.id)).toEqual(held);
    expect(pathOf(await browser.open("/account/passkeys/add"))).toBe(held.hasApp ? "/sign-in" : "/sign-in/again");
  });

  test("with a passkey alone a password passes no rule of the account", async () => {
    const { person, browser } = await create({ hasApp: false, passkeyCount: 1 });
    await enter(pages, browser, { userId: person.user.id, method: "password" });
    await pages.auth.platform.accounts.setOwnersNeedSecondFactor({ id: person.account.id, isNeeded: true });
    for (const path of ["rules", "first-key"]) {
      expect(pathOf(await browser.open(`/account/${path}/${person.account.id}`))).toBe("/sign-in/again");
    }
  });

  test("of many first factors at once one comes to be, and what it does not prove is refused", async () => {
    const person = await pages.auth.createPerson();
    const { platform } = pages.auth;
    const sessions = await Promise.all(
      Array.from({ length: 8 }, () =>
        enter(pages, pages.openBrowser(), { userId: person.user.id, method: "password" }),
      ),
    );
    const results = await Promise.allSettled(
      sessions.map((sessionId) =>
        platform.transaction(({ auth }) =>
          auth.passkeys.add({
            userId: person.user.id,
            sessionId,
            id: `pk-${sessionId}`,
            name: "Phone",
            publicKey: Buffer.from("key"),
            counter: 0,
            transports: [],
          }),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await factorsOf(person.user.id)).toEqual({ hasApp: false, passkeyCount: 1 });
  });

  test("removing a factor ends the other sessions that proved it, so they set up nothing in its place", async () => {
    const { person, browser, passkeyId } = await create({ hasApp: false, passkeyCount: 2 });
    const thief = pages.openBrowser();
    await enter(pages, thief, { userId: person.user.id, method: "passkey" });
    await enter(pages, browser, { userId: person.user.id, method: "passkey" });
    const page = await browser.open(`/account/passkeys/${passkeyId}`);
    await browser.submit(formAt(page, `/account/passkeys/${passkeyId}/remove`));
    expect(pathOf(await thief.open("/account/authenticator"))).toBe("/sign-in");
    expect(pathOf(await browser.open("/account/authenticator"))).toBe("/account/authenticator");
  });
});
