import { eraseClosedAccounts } from "@gateway/platform/acts/close-account";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpAuthenticator } from "./support/authenticator-app.ts";
import type { Browser } from "./support/browser.ts";
import { formAt } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const dayMs = 24 * 60 * 60_000;

describe("what an owner does at the pages is in the audit log of their account, as theirs, with their address", () => {
  const pages = usePages();
  let owner: Person;
  let browser: Browser;
  let before: string[];

  beforeEach(async () => {
    owner = await pages.auth.createPerson();
    browser = pages.openBrowser({ address: "203.0.113.7" });
    await pages.signIn(browser, owner);
    before = await listIds();
  });

  const list = async () => {
    const { items } = await pages.auth.platform.audit.list({ accountId: owner.account.id, limit: 100 });
    return items;
  };
  const listIds = async (): Promise<string[]> => (await list()).map(({ id }) => id);
  /**
   * The events since the owner signed in, sorted by type: two processes do not keep an order within one millisecond.
   */
  const recorded = async () =>
    (await list()).filter(({ id }) => !before.includes(id)).toSorted((one, other) => (one.type < other.type ? -1 : 1));
  const expectOnly = async (...types: string[]): Promise<void> => {
    const { personId } = (await pages.auth.platform.accounts.people.listOfUser(owner.user.id))[0] ?? {};
    expect((await recorded()).map(({ type, actor, clientAddress }) => ({ type, actor, clientAddress }))).toEqual(
      types.toSorted().map((type) => ({
        type,
        actor: { type: "person", id: personId, applicationId: null },
        clientAddress: "203.0.113.7",
      })),
    );
  };
  const changesOf = async (type: string) => (await recorded()).find((event) => event.type === type)?.changes;

  test("an authenticator set up, new recovery codes, one of them used, and the authenticator removed", async () => {
    const app = await setUpAuthenticator(pages, browser);
    const at = await browser.open("/account/authenticator");
    await browser.submit(formAt(at, "/account/authenticator/recovery-codes"));
    await browser.submit(formAt(at, "/account/authenticator/remove"));
    await expectOnly("authenticator.added", "recovery_codes.renewed", "authenticator.removed");
    expect(JSON.stringify(await recorded())).not.toContain(app.recoveryCodes[0]);
  });

  test("a recovery code, once it was used", async () => {
    const { recoveryCodes } = await setUpAuthenticator(pages, browser);
    const again = pages.openBrowser({ address: "203.0.113.7" });
    const asked = await pages.signIn(again, owner);
    await again.submit(asked.forms[0], { code: "AAAA-AAAA-AAAA-AAAA" });
    await again.submit(asked.forms[0], { code: recoveryCodes[0] ?? "" });
    await expectOnly("authenticator.added", "recovery_code.used");
  });

  test("the rule that owners need a second factor, once it differs", async () => {
    await setUpAuthenticator(pages, browser);
    const path = `/account/rules/${owner.account.id}`;
    for (const _ of [1, 2]) {
      await browser.submit(formAt(await browser.open(path), path), { "second-factor": "yes" });
    }
    await expectOnly("authenticator.added", "account.updated");
    expect(await changesOf("account.updated")).toEqual([
      { field: "ownersNeedSecondFactor", before: false, after: true },
    ]);
  });

  test("a new name, before and after", async () => {
    await browser.submit(formAt(await browser.open("/account/name"), "/account/name"), { name: "Ada King" });
    await expectOnly("person.updated");
    expect(await changesOf("person.updated")).toEqual([{ field: "name", before: owner.user.name, after: "Ada King" }]);
  });

  test("a new address, of the person and of the account that had the old one", async () => {
    const { platform } = pages.auth;
    const email = `new-${owner.user.email}`;
    await platform.accounts.people.moveAddress({
      userId: owner.user.id,
      from: owner.account.email,
      to: owner.user.email,
    });
    before = await listIds();
    await browser.submit(formAt(await browser.open("/account/email"), "/account/email"), { email });
    const link = await pages.linkTo(email);
    await browser.fill(link);
    await expectOnly("person.updated", "account.updated");
    const change = { field: "email", before: owner.user.email, after: email };
    expect(await changesOf("person.updated")).toEqual([change]);
    expect(await changesOf("account.updated")).toEqual([change]);
  });

  test("the first key, which says who made it, and the download of all data", async () => {
    const path = `/account/first-key/${owner.account.id}`;
    const { html } = await browser.submit(formAt(await browser.open(path), path));
    pages.auth.watch.note(/<code>(gk_test_\w+)<\/code>/.exec(html)?.[1] ?? "");
    await browser.open(`/account/export/${owner.account.id}`);
    await expectOnly("api_key.created", "account.exported");
    const { items } = await pages.auth.platform.accounts.apiKeys.list({ accountId: owner.account.id, limit: 1 });
    expect(items[0]?.createdBy).toEqual((await recorded())[0]?.actor);
  });

  test("closing the account, once; after 30 days no name and no address is left in it, and its chain stands", async () => {
    const { accounts, audit } = pages.auth.platform;
    const { personId } = (await accounts.people.listOfUser(owner.user.id))[0] ?? {};
    const path = `/account/close/${owner.account.id}`;
    const form = formAt(await browser.open(path), path);
    await Promise.all([1, 2].map(() => browser.submit(form, { confirmation: owner.account.name })));
    expect(await recorded()).toMatchObject([
      { type: "account.closed", actor: { type: "person", id: personId }, clientAddress: "203.0.113.7" },
    ]);
    await audit.chains.seal();
    pages.clock.advance(30 * dayMs);
    await audit.retention.createPartitions();
    await eraseClosedAccounts(pages.auth.platform);
    const [newest] = await list();
    expect(newest).toMatchObject({ type: "personal_data.deleted", actor: { type: "system" } });
    const rows = await pages.auth.database.kysely
      .selectFrom("audit_events")
      .selectAll()
      .where("account_id", "=", owner.account.id)
      .execute();
    const said = JSON.stringify(rows);
    for (const text of [owner.account.name, owner.account.email, owner.user.name, owner.user.email, "203.0.113.7"]) {
      expect(said).not.toContain(text);
    }
    expect((await audit.verify({ accountId: owner.account.id })).wrong).toBeNull();
  });
});
