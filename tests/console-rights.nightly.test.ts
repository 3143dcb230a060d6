import { operations, type OperationPolicy } from "@gateway/contract";
import { includesPermission, permissionOfRole, roleFor, roles } from "@gateway/contract/permissions";
import { waitFor } from "@gateway/testkit";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Person } from "../apps/auth/test/support/test-auth.ts";
import { startChromium } from "./support/chromium.ts";
import { createHands } from "./support/console-hands.ts";
import { readCaches } from "./support/console-memory.ts";
import { visitConsole } from "./support/console-visit.ts";
import { furnishAccount } from "./support/furnish-account.ts";
import { readSourceFiles } from "./support/source-files.ts";

const chromium = await startChromium();
const otherConsole = "https://console.example.com";
/** The screens of these tests. Controls on other screens are judged where they are met. */
const screens = ["wallets", "payments", "transfers", "orders", "ledger", "inbox", "people", "applications"];
const byId: Readonly<Record<string, OperationPolicy>> = operations;

describe.skipIf(chromium === null)("who may do what in the console", () => {
  const visit = visitConsole(chromium, { consoleEnv: { CONSOLE_OTHER_URL: otherConsole } });
  const { hands, joinAs } = visit;

  const idOf = async ({ user }: Person): Promise<string> => {
    const people = await visit.api.get<{ id: string; email: string }[]>("people");
    return people.find(({ email }) => email === user.email)?.id ?? "";
  };

  test.each(roles)(
    "%s: each control beyond the role stays, is disabled, names the role and sends nothing",
    async (role) => {
      const paths = await furnishAccount(visit);
      const own = await joinAs(role);
      const held = permissionOfRole[role];
      const met = new Set<string>();
      const refused = new Set<string>();
      const sent: string[] = [];
      own.page.on(
        "request",
        (request) => request.method() !== "GET" && sent.push(`${request.method()} ${request.url()}`),
      );
      for (const path of paths) {
        await own.hands.go(path);
        await own.page.waitForLoadState("networkidle");
        const buttons = own.page.locator("button[data-operation]");
        for (const button of await buttons.all()) {
          const operationId = (await button.getAttribute("data-operation")) ?? "";
          const permission = byId[operationId]?.permission ?? "admin";
          const title = await button.getAttribute("title");
          met.add(operationId);
          if (includesPermission(held, permission)) {
            expect(title ?? "", `${operationId} on ${path}`).not.toContain("Needs the role");
            continue;
          }
          refused.add(operationId);
          expect({ title, disabled: await button.getAttribute("aria-disabled") }, `${operationId} on ${path}`).toEqual({
            title: `Needs the role ${roleFor(permission)}. You are ${role}.`,
            disabled: "true",
          });
          await button.click({ force: true });
          expect(await own.hands.dialog().count(), `${operationId} on ${path}`).toBe(0);
        }
      }
      expect(sent).toEqual([]);
      for (const operationId of refused) {
        const { method, path } = byId[operationId] as OperationPolicy;
        const target = path.replace("/api/v1/", "").replaceAll(/\{\w+\}/g, `wal_${"0".repeat(26)}`);
        const { status, json } = await own.hands.call(method.toUpperCase(), target);
        expect([operationId, status, json.error?.code]).toEqual([operationId, 403, "FORBIDDEN"]);
      }
      // Actions in lists beyond the role are hidden with the refused list. An owner meets every control of the screens.
      if (role === "owner") {
        expect(offered().filter((operationId) => !met.has(operationId))).toEqual([]);
        expect([...refused]).toEqual([]);
      } else {
        expect(refused.size).toBeGreaterThan(role === "viewer" ? 15 : 3);
      }
    },
  );

  test("an address opens a dialog, and its button holds to the role all the same", async () => {
    const { api } = visit;
    const { id } = await api.post("wallets", { name: "Euros", currency: "EUR" });
    const viewer = await joinAs("viewer");
    const sent: string[] = [];
    viewer.page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
    await viewer.hands.go(`/wallets?open=${id}&do=freeze`);
    const submit = viewer.hands.dialog().getByRole("button", { name: "Freeze" });
    await submit.waitFor();
    expect(await submit.getAttribute("aria-disabled")).toBe("true");
    expect(await submit.getAttribute("title")).toBe("Needs the role member. You are viewer.");
    await submit.click({ force: true });
    await submit.press("Enter");
    expect(sent).toEqual([]);
    expect(await api.get(`wallets/${id}`)).toMatchObject({ status: "active" });
  });

  test("a demotion holds with the next call, and is seen; who is removed keeps nothing on the screen or in the cache", async () => {
    const { api } = visit;
    await api.post("wallets", { name: "Treasury of Acme", currency: "EUR" });
    const other = await joinAs("owner");
    // The page's wait for changes never resolves, so it learns of the demotion only when a call is refused.
    await other.page.route(/[?&]waitSeconds=/, () => {});
    await other.hands.go("/people");
    const place = await idOf(other.person);
    await hands.go(`/people?open=${place}`);
    await hands.press("Change role");
    await hands
      .dialog()
      .getByLabel(/^Viewer/)
      .check();
    await hands
      .dialog()
      .getByText(/^Loses \d+ operations/)
      .waitFor();
    const lost = hands.dialog().getByRole("region", { name: "Loses these operations" });
    await lost
      .getByText("Invite a person")
      .or(lost.getByText(/Invite/))
      .first()
      .waitFor();
    expect(
      await hands
        .dialog()
        .getByText(/^Gains/)
        .count(),
    ).toBe(0);
    await hands.submit("Change role");
    expect(await api.get(`people/${place}`)).toMatchObject({ role: "viewer" });

    expect(await other.hands.call("GET", "people")).toMatchObject({ status: 403 });
    await other.hands.press("Invite");
    await other.hands.dialog().getByLabel("E-mail address").fill("friend@example.com");
    await other.hands.dialog().getByRole("button", { name: "Send invitation" }).click();
    await other.hands.dialog().getByText("FORBIDDEN").waitFor();
    await waitFor(
      async () =>
        (await other.page.locator('button[data-operation="invitePerson"]').first().getAttribute("title")) ===
        "Needs the role owner. You are viewer.",
      { timeoutMs: 60_000 },
    );

    await other.hands.go("/wallets");
    await other.page.getByText("Treasury of Acme").waitFor();
    await hands.press("Remove");
    await hands.submit("Remove");
    expect((await api.get<unknown[]>("people")).length).toBe(1);
    expect((await other.hands.call("GET", "wallets")).status).toBe(401);
    await other.page.locator(".filter").first().selectOption({ index: 1 });
    await other.page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    expect(await other.page.content()).not.toContain("Treasury of Acme");
    await waitFor(async () => !(await readCaches(other.page)).includes("Treasury of Acme"));
  });

  test("another account is another page: nothing of the first stays on screen, in the cache, behind Back or in another tab", async () => {
    const { world, person, api, page } = visit;
    const second = await world.createAccount();
    await api.post("wallets", { name: "Treasury of the first", currency: "EUR" });
    await second.api.post("wallets", { name: "Treasury of the second", currency: "EUR" });
    await world.system.auth.createPerson({ account: second.person.account, role: "viewer", user: person });
    const tab = await page.context().newPage();
    await createHands({ page: tab, world }).go("/wallets");
    await tab.getByText("Treasury of the first").waitFor();
    await hands.go("/wallets");
    await page.getByText("Treasury of the first").waitFor();
    await page.getByRole("button", { name: person.account.email }).click();
    await page.getByRole("menuitem", { name: second.person.account.email }).click();
    await page.locator(`input[value="${second.person.account.id}"]`).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(`${world.system.consoleUrl}/wallets`);
    await page.getByText("Treasury of the second").waitFor();
    const isGone = async (of: Page): Promise<void> => {
      expect(await of.content()).not.toContain("Treasury of the first");
      expect(await readCaches(of)).not.toContain("Treasury of the first");
    };
    await isGone(page);
    expect(await page.locator('button[data-operation="createWallet"]').first().getAttribute("title")).toBe(
      "Needs the role member. You are viewer.",
    );
    // The other tab navigated by itself, and shows the other account too.
    await tab.waitForURL(`${world.system.consoleUrl}/`);
    await tab.getByRole("button", { name: second.person.account.email }).waitFor();
    await isGone(tab);
    // Goes back past the page on which the identity provider asked for the account.
    await Promise.all([page.waitForEvent("framenavigated"), page.evaluate("history.go(-2)")]);
    await page.getByRole("button", { name: second.person.account.email }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.content()).not.toContain("Treasury of the first");
  });

  test("the badge leads to the same screen on the other side, without what only this side knows", async () => {
    const { page } = visit;
    const badge = page.getByRole("link", { name: "Sandbox", exact: true }).and(page.locator(".environment"));
    await hands.go("/wallets?currency=EUR&open=wal_x");
    expect(await badge.getAttribute("href")).toBe(`${otherConsole}/wallets`);
    await hands.go("/sandbox");
    expect(await badge.getAttribute("href")).toBe(`${otherConsole}/`);
  });

  test("an application is registered, edited and deleted, and has no secret", async () => {
    const { api, page } = visit;
    await hands.go("/applications?do=create");
    await hands.dialog().getByLabel("Name", { exact: true }).fill("Ledger viewer");
    await hands.dialog().getByLabel("Redirect URIs").fill("https://app.example.com/callback");
    await hands.submit("Register");
    const [made] = await api.get<{ id: string }[]>("oauth-applications");
    await page.getByRole("link", { name: "Ledger viewer" }).click();
    await page.getByText("none: it proves itself by PKCE").waitFor();
    await hands.press("Edit");
    await hands.dialog().getByLabel("Name", { exact: true }).fill("Ledger editor");
    await hands.dialog().getByLabel("write", { exact: true }).check();
    await hands.dialog().getByText("Move money and manage webhooks").waitFor();
    await hands.submit("Save");
    expect(await api.get(`oauth-applications/${made?.id}`)).toMatchObject({
      ...{ name: "Ledger editor", redirectUris: ["https://app.example.com/callback"] },
      scopes: expect.arrayContaining(["write"]),
    });
    await hands.press("Delete");
    await hands.dialog().getByText("No person has allowed it yet.").waitFor();
    await hands.submit("Delete application");
    await page.getByText("No applications yet").waitFor();
    expect(await api.get("oauth-applications")).toEqual([]);
  });

  test("the address of the account holds once its mailed link is opened", async () => {
    const { world, person, api, page } = visit;
    const email = `ledger-${Date.now()}@example.com`;
    await hands.go("/settings");
    await page.getByText("requests in a minute").waitFor();
    await hands.press("Change address");
    await hands.dialog().getByLabel("E-mail address").fill(email);
    await hands.submit("Mail the link");
    await page.getByText("Unconfirmed address").waitFor();
    expect(await api.get("account")).toMatchObject({ email: person.account.email, pendingEmail: email });
    const link = await mailedLink(world.mailFolder, email);
    const reader = await world.openPage();
    await reader.goto(link);
    await reader.getByRole("button", { name: "Use this address" }).click();
    await reader.getByText("The address is confirmed").first().waitFor();
    expect(await api.get("account")).toMatchObject({ email, pendingEmail: null });
    await page.reload();
    await page.getByText(email).first().waitFor();
    expect(await page.getByText("Unconfirmed address").count()).toBe(0);
  });
});

/** The operations that controls name in the sources of the screens. */
function offered(): string[] {
  const files = readSourceFiles().filter(({ path }) =>
    screens.some((screen) => path.startsWith(`apps/console/browser/screens/${screen}/`)),
  );
  const found = files.flatMap(({ text }) =>
    Array.from(text.matchAll(/<ActionButton\s+(?:[^>]*?\s)?operationId="(\w+)"/g), ([, name]) => name ?? ""),
  );
  return [...new Set(found)].toSorted();
}

async function mailedLink(folder: string, email: string): Promise<string> {
  let link = "";
  await waitFor(
    async () => {
      for (const name of await readdir(folder).catch(() => [])) {
        const text = await readFile(join(folder, name), "utf8");
        if (text.includes(email)) {
          link = /https?:\/\/\S+\/account-email\/confirm\?token=[\w-]+/.exec(text)?.[0] ?? link;
        }
      }
      return link !== "";
    },
    { timeoutMs: 60_000 },
  );
  return link;
}
