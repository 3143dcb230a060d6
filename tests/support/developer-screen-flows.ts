import { waitFor } from "@gateway/testkit";
import { expect } from "vitest";
import type { ScreenFlows } from "./screen-flow.ts";

export const developerScreenFlows: ScreenFlows = {
  "/webhooks": async ({ page, api, receiverUrl, go, press, dialog, readSecret, field, words }) => {
    await go("/webhooks");
    await press("Add webhook");
    await dialog().getByLabel("Address").fill(receiverUrl);
    await dialog().getByLabel("Description").fill("Payroll");
    await field(/^wallet\.\* 0 of \d+$/).check();
    await dialog().getByLabel("wallet.balance_changed", { exact: true }).uncheck();
    const everything = dialog().getByLabel(/^\* 1 of \d+$/);
    expect(await everything.evaluate((box) => "indeterminate" in box && box.indeterminate)).toBe(true);
    await dialog().getByRole("button", { name: "Add webhook" }).click();
    expect(await readSecret()).toMatch(/^whsec_/);
    // Next are a test event and the receiver's response to it.
    await dialog().getByRole("button", { name: "Send" }).click();
    await page.getByText("The test event is being sent.").waitFor();
    await words(/\d{3} after \d+ ms/).waitFor();
    await dialog().getByRole("button", { name: "Close" }).last().click();
    await waitFor(async () => (await api.get<unknown[]>("deliveries")).length === 1);
  },
  "/deliveries": async ({ page, api, receiverUrl, go, press, confirm }) => {
    await api.post("webhooks", { url: receiverUrl, events: ["wallet.created"], description: "Payroll" });
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    const readAttempts = async () => {
      const [delivery] = await api.get<{ id: string; attemptCount: number }[]>("deliveries");
      return delivery?.attemptCount;
    };
    await waitFor(async () => (await readAttempts()) === 1);
    await go("/deliveries");
    await page.getByLabel("Webhook", { exact: true }).selectOption("Payroll");
    await page.getByRole("cell", { name: "Payroll", exact: true }).waitFor();
    // The receiver does not know the secret, so it refuses the delivery.
    await page.getByRole("cell", { name: "400", exact: true }).waitFor();
    await page.locator(".row-link").first().click();
    await page.getByRole("list", { name: "Attempts" }).waitFor();
    await press("Resend");
    await confirm("Resend", "It is sent again.");
    await waitFor(async () => (await readAttempts()) === 2);
  },
  "/events": async ({ page, api, go }) => {
    const { id } = await api.post("wallets", { name: "Operating", currency: "EUR" });
    await go("/events?type=wallet.created");
    await page.locator(".row-link").first().click();
    await page.getByText("No webhook asked for it.").waitFor();
    await page.getByRole("complementary", { name: "Details" }).getByText(id).first().waitFor();
    expect(await api.get("events")).toMatchObject([{ type: "wallet.created" }]);
  },
  "/keys": async ({ page, api, go, press, dialog, confirm, readSecret, field, words }) => {
    await go("/keys");
    await press("Create key");
    await dialog().getByLabel("Name", { exact: true }).fill("Billing worker");
    await field(/^Write/).check();
    await words(/^Opens \d\d+ operations/).waitFor();
    await dialog().getByRole("button", { name: "Create key" }).click();
    expect(await readSecret()).toMatch(/^gk_test_/);
    const row = page.getByRole("row", { name: /Billing worker/ });
    await row.getByRole("meter", { name: "0 of 90 days" }).waitFor();
    expect(await api.get("api-keys")).toContainEqual(
      expect.objectContaining({ name: "Billing worker", permission: "write", status: "active" }),
    );
    await press("Roll Billing worker");
    await dialog().getByRole("button", { name: "Roll key" }).click();
    expect(await readSecret()).toMatch(/^gk_test_/);
    await page.getByText("rolled", { exact: true }).waitFor();
    await press("Revoke Billing worker");
    await confirm("Revoke key", "Billing worker is revoked.");
    expect(await api.get("api-keys")).toContainEqual(
      expect.objectContaining({ name: "Billing worker", status: "revoked" }),
    );
  },
  "/applications": async ({ api, go, press, dialog, confirm }) => {
    await go("/applications");
    await press("Register application");
    await dialog().getByLabel("Name", { exact: true }).fill("Ledger viewer");
    await dialog().getByLabel("Redirect URIs").fill("https://app.example.com/callback");
    await confirm("Register", "The application is registered.");
    expect(await api.get("oauth-applications")).toMatchObject([{ name: "Ledger viewer" }]);
  },
  "/sandbox": async ({ page, api, go, press }) => {
    await go("/sandbox");
    await press("+5 minutes");
    await page
      .getByText(/things fell due/)
      .first()
      .waitFor();
    expect((await api.get<{ aheadSeconds: number }>("sandbox/clock")).aheadSeconds).toBeGreaterThanOrEqual(300);
  },
  "/logs": async ({ page, api, go, press }) => {
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    await waitFor(async () => (await api.get<unknown[]>("request-logs?operationId=createWallet")).length === 1);
    await go("/logs?range=1h&operationId=createWallet");
    await page.locator(".row-link").first().click();
    const [logged] = await api.get<{ id: string; status: number }[]>("request-logs?operationId=createWallet");
    expect(logged).toMatchObject({ status: 201 });
    await page
      .getByRole("complementary", { name: "Details" })
      .getByText(logged?.id ?? "")
      .first()
      .waitFor();
    await go("/logs?range=1h&operationId=createWallet");
    await page.setViewportSize({ width: 390, height: 844 });
    const more = page.getByRole("button", { name: "More filters" });
    await more.waitFor({ state: "hidden" });
    await press("Filters, 1 set");
    await more.waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  },
  "/usage": async ({ page, api, go }) => {
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    await waitFor(async () => (await api.get<unknown[]>("request-logs?operationId=createWallet")).length === 1);
    const { series } = await api.get<{ series: { group: { operation?: string }; count: number }[] }>(
      "usage?groupBy=operation",
    );
    expect(series).toContainEqual(expect.objectContaining({ count: 1, group: { operation: "createWallet" } }));
    // A value that is still loading has a placeholder.
    await page.route(/\/api\/v1\/usage/, async (route) => {
      await page.locator(".waiting").first().waitFor();
      await route.continue();
    });
    await go("/usage?by=operation");
    await page.getByText("As table").click();
    await page
      .getByRole("region", { name: /as a table/ })
      .getByText("createWallet")
      .waitFor();
    await page.unroute(/\/api\/v1\/usage/);
  },
  "/try": async ({ page, api, go }) => {
    await go("/try");
    await page.getByRole("searchbox", { name: "Search operations" }).fill("createWallet");
    await page.locator('a[href="/try/createWallet"]').first().click();
    await page.getByRole("button", { name: "Send POST" }).waitFor();
    // The press has sent nothing.
    expect(await api.get<unknown[]>("wallets")).toEqual([]);
  },
  "/try/$operationId": async ({ page, api, go }) => {
    await go("/try/createWallet");
    await page.getByRole("button", { name: "Send POST" }).click();
    await page.getByText("201", { exact: false }).first().waitFor();
    await waitFor(async () => (await api.get<unknown[]>("wallets")).length === 1);
  },
};
