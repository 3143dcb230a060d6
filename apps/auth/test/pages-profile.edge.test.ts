import type { Platform } from "@gateway/platform/compose/platform";
import { waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { comparable, pathOf, textOf } from "./support/pages.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

describe("what a user says of themselves", () => {
  const pages = usePages();
  let person: Person;
  let here: Browser;
  let count = 0;

  beforeEach(async () => {
    person = await pages.auth.createPerson();
    here = pages.openBrowser();
    await pages.signIn(here, person);
  });

  const newEmail = (): string => {
    count += 1;
    return `moved${count}@example.com`;
  };
  const ask = async (email: string): Promise<BrowserPage> => here.fill("/account/email", { email });
  const confirm = async (email: string): Promise<BrowserPage> => here.fill(await pages.linkTo(email));
  const emailNow = async (): Promise<string | undefined> =>
    (await pages.auth.platform.auth.users.get(person.user.id))?.email;

  const untilSomebodyWaits = () =>
    waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(pages.auth.database.kysely);
      return rows.length > 0;
    });

  test("the name changes, and what is shown of it everywhere", async () => {
    const page = await here.fill("/account/name", { name: " Grace <Hopper> " });
    expect(textOf(page)).toContain("Your name is changed.");
    expect(page.html).toContain("Grace &lt;Hopper&gt;");
    const { items } = await pages.auth.platform.accounts.people.list({ accountId: person.account.id, limit: 10 });
    expect(items.map(({ name }) => name)).toEqual(["Grace <Hopper>"]);
  });

  test.each(["", "x".repeat(101), "Grace\u202e", "\u200b"])("the name %j is refused at its field", async (name) => {
    const page = await here.fill("/account/name", { name });
    expect(page.status).toBe(422);
    expect(page.html).toContain('id="name-fault"');
    expect((await pages.auth.platform.auth.users.get(person.user.id))?.name).toBe(person.user.name);
  });

  test("the address changes by the link that is mailed to the new one, and the one before is told", async () => {
    const email = newEmail();
    const other = pages.openBrowser();
    await pages.signIn(other, person);
    await ask(email);
    expect(await emailNow()).toBe(person.user.email);
    const page = await confirm(email);
    expect(textOf(page)).toContain("Your e-mail address is changed");
    expect(await emailNow()).toBe(email);
    expect((await pages.mailsTo(person.user.email)).map(({ kind }) => kind)).toEqual(["email_changed"]);
    expect(pathOf(await other.open("/account"))).toBe("/sign-in");
    expect((await pages.signIn(pages.openBrowser(), person)).status).toBe(422);
    const moved = { ...person, user: { ...person.user, email } };
    expect(pathOf(await pages.signIn(pages.openBrowser(), moved))).toBe("/account");
  });

  test("the new address is the person's in their accounts, and the account's own where the old one was", async () => {
    const { platform } = pages.auth;
    const [before, email] = [newEmail(), newEmail()];
    await pages.signUp(here, before, "ferry candle walnut orbit");
    const account = await platform.accounts.findByEmail(before);
    await ask(email);
    await confirm(email);
    const { items } = await platform.accounts.people.list({ accountId: account?.id ?? "", limit: 10 });
    expect(items.map((each) => each.email)).toEqual([email]);
    expect((await platform.accounts.findByEmail(email))?.id).toBe(account?.id);
  });

  test("the link is for who asked", async () => {
    const email = newEmail();
    await ask(email);
    const link = await pages.linkTo(email);
    const stranger = pages.openBrowser();
    await pages.signIn(stranger, await pages.auth.createPerson());
    expect((await stranger.open(link)).status).toBe(403);
    const nobody = pages.openBrowser();
    expect(pathOf(await nobody.open(link))).toBe("/sign-in");
    const signedIn = await nobody.fill(link, {
      email: person.user.email,
      password: person.password,
    });
    expect(textOf(signedIn)).toContain(`You sign in with ${email} from now on`);
  });

  test("an address that has a user gets the very same answer, and a mail that says so to its owner alone", async () => {
    const somebody = await pages.auth.createPerson();
    const email = newEmail();
    const [known, unknown] = [await ask(somebody.user.email), await ask(email)];
    expect(comparable(known, somebody.user.email)).toBe(comparable(unknown, email));
    expect((await pages.mailsTo(somebody.user.email)).map(({ kind }) => kind)).toEqual(["sign_up_known"]);
  });

  test("an address that got its user meanwhile stays theirs", async () => {
    const email = newEmail();
    await ask(email);
    const link = await pages.linkTo(email);
    await pages.signUp(pages.openBrowser(), email, "ferry candle walnut orbit");
    expect((await here.fill(link)).status).toBe(410);
    expect(await emailNow()).toBe(person.user.email);
  });

  test("of two who take the same address at the same instant one has it, and the other is told", async () => {
    const email = newEmail();
    await ask(email);
    const form = (await here.open(await pages.linkTo(email))).forms[0];
    const rival = await pages.auth.createPerson();
    const { platform } = pages.auth;
    const confirmed = await platform.transaction(async ({ auth }) => {
      await auth.users.changeEmail({ userId: rival.user.id, email });
      const answer = here.submit(form);
      await untilSomebodyWaits();
      return { answer };
    });
    expect((await confirmed.answer).status).toBe(410);
    expect(await emailNow()).toBe(person.user.email);
    expect((await platform.auth.users.findByEmail(email))?.id).toBe(rival.user.id);
  });

  test.each<{
    rival: string;
    take(services: Pick<Platform, "accounts">, of: { accountId: string; email: string }): Promise<unknown>;
    left: { account: "old" | "new"; people: ("old" | "new")[] };
  }>([
    {
      rival: "an invitation to the account",
      take: ({ accounts }, of) => accounts.people.invite({ ...of, role: "viewer" }),
      left: { account: "new", people: ["new", "old"] },
    },
    {
      rival: "an account",
      take: ({ accounts }, { email }) => accounts.create({ email, tier: "starter", requestsPerMinute: null }),
      left: { account: "old", people: ["new"] },
    },
  ])("$rival that takes the address at the same instant keeps it, and the user has it too", async ({ take, left }) => {
    const { platform } = pages.auth;
    const emails = { old: newEmail(), new: newEmail() };
    await pages.signUp(here, emails.old, "ferry candle walnut orbit");
    const user = await platform.auth.users.findByEmail(emails.old);
    const accountId = (await platform.accounts.findByEmail(emails.old))?.id ?? "";
    await ask(emails.new);
    const form = (await here.open(await pages.linkTo(emails.new))).forms[0];
    const confirmed = await platform.transaction(async (services) => {
      await take(services, { accountId, email: emails.new });
      const answer = here.submit(form);
      await untilSomebodyWaits();
      return { answer };
    });
    expect(textOf(await confirmed.answer)).toContain("Your e-mail address is changed");
    expect((await platform.auth.users.findByEmail(emails.new))?.id).toBe(user?.id);
    expect((await platform.accounts.get(accountId))?.email).toBe(emails[left.account]);
    const { items } = await platform.accounts.people.list({ accountId, limit: 10 });
    expect(new Set(items.map(({ email }) => email))).toEqual(new Set(left.people.map((which) => emails[which])));
  });

  test("a link for a new password that went to the address before is worth nothing afterwards", async () => {
    const forgotten = pages.openBrowser();
    await forgotten.fill("/password/forgotten", { email: person.user.email });
    const link = await pages.linkTo(person.user.email);
    const email = newEmail();
    await ask(email);
    await confirm(email);
    expect((await forgotten.open(link)).status).toBe(410);
  });

  test.each(["", "nobody", "a@b", "İnfo@example.com"])("%j is no address to change to", async (email) => {
    expect((await ask(email)).status).toBe(422);
  });

  test("their own address, in whatever letter case, is none either", async () => {
    expect((await ask(person.user.email.toUpperCase())).status).toBe(422);
  });

  test("five mails an hour go to an address, and no more", async () => {
    const email = newEmail();
    const statuses = [];
    for (let number = 1; number <= 6; number += 1) {
      statuses.push((await ask(email)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
