import type { Account } from "@gateway/platform/accounts";
import { beforeEach, describe, expect, test } from "vitest";
import { askForAccountEmail } from "./support/account-email-link.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import { textOf } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

describe("the link to the address that an account is to be written to", () => {
  const pages = usePages();
  let person: Person;
  let account: Account;
  let anybody: Browser;
  let count = 0;

  beforeEach(async () => {
    person = await pages.auth.createPerson();
    ({ account } = person);
    anybody = pages.openBrowser();
  });

  const newEmail = (): string => {
    count += 1;
    return `accounts${count}@example.com`;
  };
  const ask = (email: string): Promise<string> => askForAccountEmail(pages, account, email);
  const open = (link: string): Promise<BrowserPage> => anybody.open(link);
  const confirm = async (link: string): Promise<BrowserPage> => anybody.submit((await open(link)).forms[0]);
  const now = async (): Promise<{ email: string; waits: boolean }> => {
    const { email, pendingEmail } = (await pages.auth.platform.accounts.get(account.id)) ?? {
      email: "",
      pendingEmail: null,
    };
    return { email, waits: pendingEmail !== null };
  };

  test("needs no user: who reads the mail confirms it, and is signed in by nothing", async () => {
    const email = newEmail();
    const page = await open(await ask(email));
    expect(textOf(page)).toContain(`We write to ${email} about the account`);
    expect(textOf(page)).toContain(account.email);
    expect(await now()).toEqual({ email: account.email, waits: true });
    const after = await anybody.submit(page.forms[0]);
    expect([after.status, textOf(after)]).toEqual([200, expect.stringContaining("The address is confirmed")]);
    expect(await now()).toEqual({ email, waits: false });
    expect(new URL((await anybody.open("/account")).url).pathname).toBe("/sign-in");
  });

  test("tells the owners and the address of before, with the new one, and the audit log", async () => {
    const email = newEmail();
    await pages.auth.platform.accounts.rename({ id: account.id, name: "Acme" });
    await confirm(await ask(email));
    const told = {
      kind: "account_email_changed",
      change: "confirmed",
      accountEmail: account.email,
      newEmail: email,
      clientAddress: expect.stringMatching(/^198\.51\./),
    };
    for (const address of new Set([account.email, person.user.email])) {
      expect(await pages.noticesTo(address)).toMatchObject([told]);
    }
    expect(await pages.noticesTo(email)).toEqual([]);
    const { items } = await pages.auth.platform.audit.list({
      accountId: account.id,
      type: "account.updated",
      limit: 10,
    });
    // Asked and confirmed in one millisecond, so in any order.
    expect(items.map(({ changes }) => changes.toSorted((a, b) => a.field.localeCompare(b.field)))).toContainEqual([
      { field: "email", before: account.email, after: email },
      { field: "pendingEmail", before: email, after: null },
    ]);
  });

  test("names in the audit log which person confirmed it, where they are signed in", async () => {
    await pages.signIn(anybody, person);
    await confirm(await ask(newEmail()));
    const { items } = await pages.auth.platform.audit.list({
      accountId: account.id,
      type: "account.updated",
      limit: 10,
    });
    const confirmed = items.find(({ changes }) => changes.some(({ field }) => field === "email"));
    expect(confirmed?.actor).toMatchObject({ type: "person", id: expect.stringMatching(/^per_/) });
  });

  test("ends with a later one, and with what withdraws it", async () => {
    const [first, second] = [await ask(newEmail()), await ask(newEmail())];
    expect([(await open(first)).status, (await open(second)).status]).toEqual([410, 200]);
    const { forms } = await open(second);
    const expiresAt = new Date(pages.clock.now() + 1);
    await pages.auth.platform.accounts.update({ id: account.id, email: { address: account.email, expiresAt } });
    expect((await anybody.submit(forms[0])).status).toBe(410);
    expect((await now()).email).toBe(account.email);
  });

  test("changes nothing where another account got the address meanwhile, and says so to who opened it", async () => {
    const email = newEmail();
    const link = await ask(email);
    await pages.auth.platform.accounts.create({ email, tier: "starter", requestsPerMinute: null });
    const answer = await confirm(link);
    expect([answer.status, textOf(answer)]).toEqual([409, expect.stringContaining("Another account has this address")]);
    expect(await now()).toEqual({ email: account.email, waits: true });
    expect(await pages.noticesTo(account.email)).toEqual([]);
  });

  test("opens nothing of an account that is suspended or closed", async () => {
    const link = await ask(newEmail());
    const { forms } = await open(link);
    await pages.auth.platform.accounts.suspend({ id: account.id, reason: null });
    expect([(await open(link)).status, (await anybody.submit(forms[0])).status]).toEqual([410, 410]);
    await pages.auth.platform.accounts.resume(account.id);
    expect((await open(link)).status).toBe(200);
    await pages.auth.platform.transaction(({ accounts }) => accounts.closing.close(account.id));
    expect((await anybody.submit(forms[0])).status).toBe(410);
    expect((await now()).waits).toBe(false);
  });
});
