import { operations, type OperationPolicy } from "@gateway/contract";
import { roles } from "@gateway/contract/permissions";
import { waitFor } from "@gateway/testkit";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { visitConsole } from "./support/console-visit.ts";
import { furnishAccount } from "./support/furnish-account.ts";
import { judgeControls } from "./support/judge-controls.ts";
import { readSourceFiles } from "./support/source-files.ts";

const chromium = await startChromium();
const otherConsole = "https://console.example.com";
/** The screens of these tests. Controls on other screens are judged where they are met. */
const screens = ["wallets", "payments", "transfers", "orders", "ledger", "inbox", "people", "applications"];
const byId: Readonly<Record<string, OperationPolicy>> = operations;

describe.skipIf(chromium === null)("who may do what in the console", () => {
  const visit = visitConsole(chromium, { consoleEnv: { CONSOLE_OTHER_URL: otherConsole } });
  const { hands, joinAs } = visit;

  test.each(roles)(
    "%s: each control beyond the role stays, is disabled, names the role and sends nothing",
    async (role) => {
      const paths = await furnishAccount(visit);
      const own = await joinAs(role);
      const { met, refused } = await judgeControls(own, role, paths);
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

  test("a demotion that the page did not hear of is seen at the first refused action, and says what it takes", async () => {
    const { api } = visit;
    const other = await joinAs("owner");
    // The page's wait for changes never resolves, so it learns of the demotion only when a call is refused.
    await other.page.route(/[?&]waitSeconds=/, () => {});
    await other.hands.go("/people");
    const people = await api.get<{ id: string; email: string }[]>("people");
    const place = people.find(({ email }) => email === other.person.user.email)?.id ?? "";
    await hands.go(`/people?open=${place}`);
    await hands.press("Change role");
    await hands.field(/^Viewer/).check();
    await hands.words(/^Loses \d+ operations/).waitFor();
    await hands.submit("Change role");
    expect(await api.get(`people/${place}`)).toMatchObject({ role: "viewer" });
    await other.hands.press("Invite");
    await other.hands.dialog().getByLabel("E-mail address").fill("friend@example.com");
    await other.hands.dialog().getByRole("button", { name: "Send invitation" }).click();
    await other.hands.dialog().getByText("FORBIDDEN").waitFor();
    const title = "Needs the role owner. You are viewer.";
    await other.page.locator(`button[data-operation="invitePerson"][title="${title}"]`).first().waitFor();
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
