import { waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Person } from "../apps/auth/test/support/test-auth.ts";
import { startChromium } from "./support/chromium.ts";
import { createHands } from "./support/console-hands.ts";
import { findRemains, readCaches } from "./support/console-memory.ts";
import { visitConsole } from "./support/console-visit.ts";
import { furnishAccount } from "./support/furnish-account.ts";
import { judgeControls, watchSent } from "./support/judge-controls.ts";

const chromium = await startChromium();
/** Rights and sessions that only a browser can show. The server's part is in `console.edge.test.ts`. */
describe.skipIf(chromium === null)("the console in a browser guards", () => {
  const visit = visitConsole(chromium, { isQuick: true });
  const { hands, joinAs } = visit;

  const consoleUrl = (path: string): string => `${visit.world.system.consoleUrl}${path}`;
  const signedOut = (of: Page) => of.getByRole("heading", { name: "Sign in to the console" });
  const idOf = async ({ user }: Person): Promise<string> => {
    const people = await visit.api.get<{ id: string; email: string }[]>("people");
    return people.find(({ email }) => email === user.email)?.id ?? "";
  };

  test("tokens: a person signs in by the pages, and no answer, cookie or storage of the page holds one", async () => {
    const { world, person } = visit;
    const page = await world.openPage();
    const answers: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.url().startsWith(consoleUrl("/"))) {
        const body = response.text().catch(() => "");
        answers.push(Promise.all([response.allHeaders(), body]).then((all) => JSON.stringify(all)));
      }
    });
    await world.signIn(page, person, "/wallets");
    await page.getByText("No wallets yet").waitFor();
    const all = await Promise.all(answers);
    expect(all.join()).toContain(person.user.email);
    expect(all.filter((answer) => /eyJ[\w-]{10}/.test(answer))).toEqual([]);
    expect(await findRemains(page, "eyJ")).toEqual([]);
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  test("rights: a viewer's controls beyond the role stay, are disabled, name the role, and send nothing", async () => {
    await hands.go("/settings");
    const paths = await furnishAccount(visit);
    const viewer = await joinAs("viewer");
    const { refused } = await judgeControls(viewer, "viewer", paths);
    expect(refused.size).toBeGreaterThan(15);
  });

  test("links: an address opens a dialog and sends nothing; beyond the role its button sends nothing either", async () => {
    const { api, page } = visit;
    await hands.go("/settings");
    const paths = await furnishAccount(visit);
    const at = (start: string) => paths.find((path) => path.startsWith(start)) ?? "";
    const sent = watchSent(page);
    for (const address of [
      `${at("/wallets?")}&do=freeze`,
      `${at("/wallets?")}&do=close`,
      `${at("/transfers?")}&do=cancel`,
      `${at("/inbox?open")}&do=approve`,
      `${at("/people?")}&do=remove`,
      `${at("/applications?")}&do=delete`,
      `${at("/webhooks?")}&do=roll`,
      "/transfers?view=rules&do=remove-rule&rule=1",
    ]) {
      await hands.go(address);
      await hands.dialog().locator("button[type=submit]").waitFor();
      await page.waitForLoadState("networkidle");
      expect(sent, address).toEqual([]);
    }
    const viewer = await joinAs("viewer");
    const ofViewer = watchSent(viewer.page);
    await viewer.hands.go(`${at("/wallets?")}&do=freeze`);
    const submit = viewer.hands.dialog().getByRole("button", { name: "Freeze" });
    await submit.waitFor();
    expect(await submit.getAttribute("title")).toBe("Needs the role member. You are viewer.");
    await submit.click({ force: true });
    await submit.press("Enter");
    await viewer.page.waitForLoadState("networkidle");
    expect(ofViewer).toEqual([]);
    expect(await api.get(at("/wallets?").replace("/wallets?open=", "wallets/"))).toMatchObject({ status: "active" });
  });

  test("secrets: what was shown once is nowhere when its dialog is left, behind Back neither", async () => {
    const { world, page } = visit;
    await hands.go("/keys?do=create");
    await hands.dialog().getByLabel("Name", { exact: true }).fill("Worker");
    await hands.dialog().getByRole("button", { name: "Create key" }).click();
    const shown = page.getByLabel("Secret", { exact: true });
    const secret = world.system.auth.watch.note((await shown.textContent()) ?? "");
    expect(secret).toMatch(/^gk_test_/);
    await page.keyboard.press("Escape");
    expect(await shown.isVisible()).toBe(true);
    // The search does find a secret while it is shown.
    expect(await findRemains(page, secret)).toEqual(["document", "frames"]);
    await hands.press("I have stored it");
    await shown.waitFor({ state: "detached" });
    expect(await findRemains(page, secret)).toEqual([]);
    await page.goBack();
    await page.goForward();
    await page.waitForLoadState("networkidle");
    expect(await findRemains(page, secret)).toEqual([]);
  });

  test("sessions: a sign-out is one in every tab, and nothing of the account stays there", async () => {
    const { world, api, page } = visit;
    await api.post("wallets", { name: "Treasury of Acme", currency: "EUR" });
    const tab = await page.context().newPage();
    await createHands({ page: tab, world }).go("/wallets");
    await tab.getByText("Treasury of Acme").waitFor();
    await hands.go("/");
    await page.getByRole("button", { name: /, owner$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    for (const one of [page, tab]) {
      await signedOut(one).waitFor();
      expect(await one.content()).not.toContain("Treasury of Acme");
      await waitFor(async () => !(await readCaches(one)).includes("Treasury of Acme"));
    }
    expect((await hands.call("GET", "wallets")).status).toBe(401);
  });

  test("sessions: one that has expired leads to the sign-in and back to the screen, and leaves nothing on it", async () => {
    const { world, person, api, page } = visit;
    await api.post("wallets", { name: "Treasury of Acme", currency: "EUR" });
    await hands.go("/wallets?currency=EUR");
    await page.getByText("Treasury of Acme").waitFor();
    await sql`update console_sessions set expires_at = now() - interval '1 hour' where user_id = ${person.user.id}`.execute(
      world.system.auth.database.kysely,
    );
    // The page may poll for changes first. Then it has left the screen before the press.
    await page.evaluate(`document.querySelector('a[href="/payments"]')?.click()`);
    await signedOut(page).waitFor();
    const { pathname } = new URL(page.url());
    expect(["/payments", "/wallets"]).toContain(pathname);
    expect(await page.content()).not.toContain("Treasury of Acme");
    await waitFor(async () => !(await readCaches(page)).includes("Treasury of Acme"));
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.locator('input[name="email"]').fill(person.user.email);
    await page.locator('input[name="password"]').fill(person.password);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href.startsWith(consoleUrl(pathname)));
    const name = pathname === "/payments" ? "Payments" : "Wallets";
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  });

  test("sessions: a demotion is seen in an open page and holds with the next call; a removal ends the session", async () => {
    const { world, person, api } = visit;
    await api.post("wallets", { name: "Treasury of Acme", currency: "EUR" });
    const member = await joinAs("member");
    // The page follows the account by then.
    const follows = member.page.waitForRequest((request) => request.url().includes("waitSeconds="));
    await member.hands.go("/wallets");
    await follows;
    await member.page.getByText("Treasury of Acme").waitFor();
    const create = member.page.getByRole("button", { name: "Create wallet" });
    expect(await create.getAttribute("aria-disabled")).toBe("false");
    const own = { id: await idOf(member.person), accountId: person.account.id };
    await world.system.auth.platform.transaction(({ accounts }) =>
      accounts.people.changeRole({ ...own, role: "viewer" }),
    );
    await waitFor(async () => (await create.getAttribute("aria-disabled")) === "true", { timeoutMs: 60_000 });
    expect(await member.hands.call("POST", "wallets", { name: "No", currency: "EUR" })).toMatchObject({ status: 403 });
    await world.system.auth.platform.transaction(({ accounts }) => accounts.people.remove(own));
    await signedOut(member.page).waitFor();
    expect(await member.page.content()).not.toContain("Treasury of Acme");
    expect((await member.hands.call("GET", "wallets")).status).toBe(401);
  });

  test("accounts: another one is another page, and nothing of the first stays, in another tab or behind Back", async () => {
    const { world, person, api } = visit;
    const second = await world.createAccount();
    await api.post("wallets", { name: "Treasury of the first", currency: "EUR" });
    const page = await world.openPage();
    await world.signIn(page, person);
    await world.system.auth.createPerson({ account: second.person.account, role: "viewer", user: person });
    const tab = await page.context().newPage();
    for (const one of [page, tab]) {
      await createHands({ page: one, world }).go("/wallets");
      await one.getByText("Treasury of the first").waitFor();
    }
    await page.getByRole("button", { name: person.account.email }).click();
    await page.getByRole("menuitem", { name: second.person.account.email }).click();
    await page.locator(`input[value="${second.person.account.id}"]`).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(consoleUrl("/wallets"));
    await page.getByText("No wallets yet").waitFor();
    await tab.getByRole("button", { name: second.person.account.email }).waitFor();
    for (const one of [page, tab]) {
      expect(await one.content()).not.toContain("Treasury of the first");
      expect(await readCaches(one)).not.toContain("Treasury of the first");
    }
    // Goes back past the page on which the identity provider asked for the account.
    await Promise.all([page.waitForEvent("framenavigated"), page.evaluate("history.go(-2)")]);
    await page.getByRole("button", { name: second.person.account.email }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.content()).not.toContain("Treasury of the first");
  });
});
