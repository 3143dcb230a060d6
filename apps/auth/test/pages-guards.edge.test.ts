import { beforeEach, describe, expect, test } from "vitest";
import { pageRoutes } from "../src/pages/pages.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import { csrfOf, pathOf, textOf } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

/** Pages open to a stranger at an unlocked screen. Every other page of the account asks who it is. */
const unguarded = [
  "/account",
  "/account/sessions/end",
  "/account/sessions/end-others",
  "/account/applications/disconnect",
  "/account/name",
  "/account/email/confirm",
];
const guarded = pageRoutes.filter(({ path }) => /^\/account(?:\/|$)/.test(path) && !unguarded.includes(path));
const ofAccounts = guarded.filter(({ path }) => path.includes(":accountId"));

describe("what protects a user and their accounts", () => {
  const pages = usePages();
  let owner: Person;

  beforeEach(async () => {
    owner = await pages.auth.createPerson();
  });

  const signedIn = async (person: Person): Promise<Browser> => {
    const browser = pages.openBrowser();
    await pages.signIn(browser, person);
    return browser;
  };
  /** Opens the page and sends its form, as far as there are both. */
  const ask = async (browser: Browser, path: string, { get, post }: (typeof guarded)[number]) => {
    const csrf = csrfOf(await browser.open("/sign-out"));
    const form = { action: path, method: "post", values: [], inputs: [], buttons: [] };
    const answers: BrowserPage[] = [];
    if (get) {
      answers.push(await browser.open(path));
    }
    if (post) {
      answers.push(await browser.submit(form, { csrf, confirmation: owner.account.name, "second-factor": "yes" }));
    }
    return answers;
  };
  const expectUntouched = async (): Promise<void> => {
    const { apiKeys, people, get } = pages.auth.platform.accounts;
    const [account, places] = [await get(owner.account.id), await people.listOfUser(owner.user.id)];
    expect([account?.ownersNeedSecondFactor, places.length]).toEqual([false, 1]);
    expect((await apiKeys.list({ accountId: owner.account.id, limit: 10 })).items).toEqual([]);
  };

  test.each(guarded)("$path needs a sign-in of the last 15 minutes, and comes back after one", async (route) => {
    const browser = await signedIn(owner);
    const path = route.path.replace(":accountId", owner.account.id).replace(":passkeyId", "some-id");
    pages.clock.advance(15 * 60_000);
    for (const answer of await ask(browser, path, route)) {
      expect(pathOf(answer)).toBe("/sign-in/again");
      expect(answer.forms[0]?.values).toContainEqual(["next", path]);
    }
    await expectUntouched();
  });

  test.each(
    ofAccounts.flatMap((route) => (["viewer", "member", "stranger"] as const).map((role) => ({ ...route, role }))),
  )("$path is nothing for a $role, who sees what nobody sees", async ({ role, ...route }) => {
    const browser = await signedIn(
      await pages.auth.createPerson(role === "stranger" ? {} : { account: owner.account, role }),
    );
    const nowhere = textOf(await browser.open(route.path.replace(":accountId", "none")));
    for (const answer of await ask(browser, route.path.replace(":accountId", owner.account.id), route)) {
      expect([answer.status, answer.headers.get("Content-Disposition")]).toEqual([404, null]);
      expect(textOf(answer)).toBe(nowhere);
    }
    await expectUntouched();
  });
});
