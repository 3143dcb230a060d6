import type { Account, Role } from "@gateway/platform/accounts";
import { beforeEach, describe, expect, test } from "vitest";
import { formAt, goodPassword, pathOf, textOf } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

describe("an invitation", () => {
  const pages = usePages();
  let owner: Person;
  let count = 0;

  beforeEach(async () => {
    owner = await pages.auth.createPerson();
    count += 1;
  });

  /** Does the same as the gateway when an owner invites a person. */
  const invite = async (email: string, role: Role = "member", account: Account = owner.account) => {
    const { platform, origin, watch } = pages.auth;
    return platform.transaction(async ({ accounts, auth }) => {
      const { id } = await accounts.people.invite({ accountId: account.id, email, role });
      const token = watch.note(await auth.mailLinks.create({ purpose: "invitation", email, personId: id }));
      return { id, link: `${origin}/invitations/accept?token=${token}` };
    });
  };
  const newEmail = (): string => `invited${count}@example.com`;
  const roleOf = async (email: string): Promise<string | undefined> => {
    const user = await pages.auth.platform.auth.users.findByEmail(email);
    const places = user ? await pages.auth.platform.accounts.people.listOfUser(user.id) : [];
    return places.find(({ accountId }) => accountId === owner.account.id)?.role;
  };

  test("somebody new sees which account and which role, chooses a password and joins, without an own account", async () => {
    const email = newEmail();
    const { link } = await invite(email, "viewer");
    const accounts = await pages.count("accounts");
    const browser = pages.openBrowser();
    const page = await browser.open(link);
    expect(textOf(page)).toContain(`The account ${owner.account.email} invites ${email} as viewer`);
    expect(await roleOf(email)).toBeUndefined();
    const after = await browser.submit(page.forms[0], { name: "New", "new-password": goodPassword });
    expect(textOf(after)).toContain("You are a member of the account now.");
    expect(await roleOf(email)).toBe("viewer");
    expect(await pages.count("accounts")).toBe(accounts);
    expect((await pages.openBrowser().open(link)).status).toBe(410);
  });

  test("a user with the address signs in, comes back and accepts", async () => {
    const person = await pages.auth.createPerson();
    const { link } = await invite(person.user.email.toUpperCase(), "owner");
    const browser = pages.openBrowser();
    const page = await browser.open(link);
    expect(page.forms).toEqual([]);
    const next = /href="(\/sign-in\?next=[^"]+)"/.exec(page.html)?.[1] ?? "";
    const back = await browser.fill(next, { email: person.user.email, password: person.password });
    expect(pathOf(back)).toBe("/invitations/accept");
    expect(await roleOf(person.user.email)).toBeUndefined();
    const after = await browser.submit(formAt(back, "/invitations/accept"));
    expect(textOf(after)).toContain(owner.account.email);
    expect(await roleOf(person.user.email)).toBe("owner");
  });

  test("is not for whoever else is signed in", async () => {
    const [person, other] = [await pages.auth.createPerson(), await pages.auth.createPerson()];
    const browser = pages.openBrowser();
    await pages.signIn(browser, other);
    for (const email of [person.user.email, newEmail()]) {
      const page = await browser.open((await invite(email)).link);
      expect(page.forms).toEqual([]);
      expect(textOf(page)).toContain(`You are signed in as ${other.user.email}`);
    }
    expect(await roleOf(other.user.email)).toBeUndefined();
  });

  test("is over when the person was removed", async () => {
    const removed = await invite(newEmail());
    await pages.auth.platform.transaction(({ accounts }) =>
      accounts.people.remove({ id: removed.id, accountId: owner.account.id }),
    );
    expect((await pages.openBrowser().open(removed.link)).status).toBe(410);
  });

  test("a password that is refused leaves it good", async () => {
    const email = newEmail();
    const { link } = await invite(email);
    const browser = pages.openBrowser();
    expect((await browser.fill(link, { name: "New", "new-password": "short" })).status).toBe(422);
    expect((await browser.open(link)).status).toBe(200);
  });
});
