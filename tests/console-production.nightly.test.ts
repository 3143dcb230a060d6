import { operations, type OperationPolicy } from "@gateway/contract";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { visitConsole } from "./support/console-visit.ts";

const chromium = await startChromium();

describe.skipIf(chromium === null)("the console in production", () => {
  const visit = visitConsole(chromium, { livemode: true, isShared: true });
  const { hands } = visit;

  /** Creates a resource by a call from the page. Returns its id. */
  const make = async (path: string, body: object): Promise<string> => {
    const { json } = await hands.call("POST", path, body);
    expect(json.error).toBeUndefined();
    const made = json.data as { id: string; secret?: string };
    visit.world.system.auth.watch.note(made.secret ?? made.id);
    return made.id;
  };
  const stateOf = async (path: string): Promise<unknown> => {
    const { json } = await hands.call("GET", path);
    return (json.data as { status?: string } | undefined)?.status ?? json.error?.code;
  };

  test("what is destructive asks for the name, and does nothing before it is typed", async () => {
    const { page } = visit;
    const wallet = await make("wallets", { name: "Operating", currency: "EUR" });
    const key = await make("api-keys", { name: "Worker", permission: "read" });
    const application = await make("oauth-applications", {
      ...{ name: "Viewer", redirectUris: ["https://app.example.com/callback"], scopes: ["openid", "read"] },
    });
    const invited = await make("people", { email: "ada@example.com", role: "viewer" });
    const cases = [
      [`/wallets?open=${wallet}`, "Freeze", "Freeze", "Operating", `wallets/${wallet}`, "active", "frozen"],
      [`/wallets?open=${wallet}`, "Close", "Close wallet", "Operating", `wallets/${wallet}`, "frozen", "closed"],
      [`/keys?open=${key}`, "Revoke", "Revoke key", "Worker", `api-keys/${key}`, "active", "revoked"],
      [
        ...([`/applications?open=${application}`, "Delete", "Delete application", "Viewer"] as const),
        ...([`oauth-applications/${application}`, undefined, "NOT_FOUND"] as const),
      ],
      [
        ...([`/people?open=${invited}`, "Withdraw invitation", "Withdraw", "ada@example.com"] as const),
        ...([`people/${invited}`, "invited", "NOT_FOUND"] as const),
      ],
    ] as const;
    for (const [path, button, submit, name, target, before, after] of cases) {
      await hands.go(path);
      // The screen's button, and not the Close of the dialog or the pane.
      await page.locator("button[data-operation]").getByText(button, { exact: true }).click();
      const confirm = hands.dialog().getByRole("button", { name: submit, exact: true });
      expect(await confirm.getAttribute("aria-disabled"), path).toBe("true");
      await confirm.click({ force: true });
      const typed = hands.dialog().getByLabel(`Type “${name}” to go on`);
      await typed.fill(name.slice(0, -1));
      await typed.press("Enter");
      expect(await stateOf(target), path).toBe(before);
      await typed.fill(name);
      await hands.submit(submit);
      expect(await stateOf(target), path).toBe(after);
    }
  });

  test("nothing of the sandbox is there: no screen, no control, no word of an operation", async () => {
    const { world, page } = visit;
    const wallet = await make("wallets", { name: "Bitcoin", currency: "BTC" });
    await page.goto(`${world.system.consoleUrl}/sandbox`);
    await page.getByRole("heading", { name: "There is no such screen" }).waitFor();
    await page.getByText("Production", { exact: true }).waitFor();
    expect(await page.getByRole("navigation", { name: "Screens" }).getByText("Sandbox").count()).toBe(0);
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).fill("sandbox");
    expect(await page.getByRole("option").count()).toBe(0);
    const sandboxOnly = Object.values<OperationPolicy>(operations)
      .filter((operation) => operation.sandboxOnly)
      .map(({ operationId }) => operationId);
    const paths = ["/", "/inbox", "/inbox?queue=kyc", `/wallets?open=${wallet}`, "/payments", "/transfers", "/orders"];
    for (const path of [...paths, "/ledger", "/webhooks", "/keys", "/people", "/settings"]) {
      await hands.go(path);
      await page.waitForLoadState("networkidle");
      const offered = await page.evaluate<string[]>(
        '[...document.querySelectorAll("button[data-operation]")].map(({ dataset }) => dataset.operation)',
      );
      expect(
        offered.filter((operationId) => sandboxOnly.includes(operationId as never)),
        path,
      ).toEqual([]);
      expect(await page.getByText(/simulate|sandbox/i).count(), path).toBe(0);
    }
    expect(await hands.call("POST", `sandbox/wallets/${wallet}/fund`, { amount: 1 })).toMatchObject({ status: 404 });
  });
});
