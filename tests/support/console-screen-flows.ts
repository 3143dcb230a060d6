import { waitFor } from "@gateway/testkit";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Person } from "../../apps/auth/test/support/test-auth.ts";
import { createHands, type ConsoleHands } from "./console-hands.ts";
import type { AccountApi, ConsolePage } from "./console-page.ts";
import { destinationAddress } from "./destination-address.ts";

/** What a flow works with: an account that nobody else uses, its owner signed in, and its API. */
export type ScreenFlowWorld = Pick<ConsoleHands, "go" | "press" | "dialog"> & {
  page: Page;
  person: Person;
  api: AccountApi;
  receiverUrl: string;
  /** Presses its button, and waits for the words that say it is done. */
  confirm(button: string, done: string | RegExp): Promise<void>;
  /** What is beside the list when a row is open. */
  details(): Locator;
  /** Of a secret that is shown once, which nothing may log; leaves its dialog. */
  readSecret(): Promise<string>;
};

export type ScreenFlow = (world: ScreenFlowWorld) => Promise<void>;

const passport = { type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" };
const verifiedPerson = {
  ...{ givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-09" },
  ...{ country: "DE", address: "1 Street" },
};

/**
 * What each screen is there for, done once on it, and the API agrees afterwards. By the path of the router, which a
 * test compares: a new screen is a line here. What else a screen can do is in the suites of the tier nightly.
 */
export const screenFlows: Readonly<Record<string, ScreenFlow>> = {
  "/": async ({ page, api, go }) => {
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    for (const reference of ["Customer 7", "Customer 8"]) {
      const { id } = await api.post("kyc-verifications", {
        ...{ reference, subject: verifiedPerson, documents: [passport] },
      });
      await api.post(`sandbox/kyc-verifications/${id}/simulate`, { outcome: "review_required" });
    }
    await go("/");
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Operating" }).waitFor();
    await page.getByText("All wallets together").waitFor();
    await page.getByRole("link", { name: "2 verifications wait for a review" }).click();
    await page.getByRole("link", { name: "Customer 8" }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "wallet.created" }).first().click();
    await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
  },
  "/inbox": async ({ page, api, go, press, confirm }) => {
    const wallet = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 75_000_000 });
    await api.post("transfers", { walletId: wallet.id, amount: 2_500_000, destinationAddress });
    await go("/inbox");
    await page.getByRole("cell", { name: "Cold storage", exact: true }).waitFor();
    await page.getByRole("cell", { name: /^tb1qw508d6….*$/ }).waitFor();
    await page.getByRole("cell", { name: "Test", exact: true }).waitFor();
    await page.locator(".row-link").first().click();
    await page.getByText("0 of").first().waitFor();
    await press("Simulate an owner");
    await confirm("Simulate", "A simulated owner has decided.");
    const [approval] = await api.get<{ decisions: unknown[] }[]>("approvals");
    expect(approval?.decisions).toMatchObject([{ decision: "approved" }]);
  },
  "/inbox?queue=kyc": async ({ page, api, go, press, dialog, confirm }) => {
    const { id } = await api.post("kyc-verifications", {
      ...{ reference: "Customer 7", subject: verifiedPerson, documents: [passport] },
    });
    await api.post(`sandbox/kyc-verifications/${id}/simulate`, { outcome: "review_required" });
    await go("/inbox?queue=kyc");
    await page.getByRole("link", { name: "Customer 7" }).click();
    await press("Reject");
    await dialog().getByLabel("Why").fill("The picture is of somebody else.");
    await confirm("Reject", "The verification is rejected.");
    expect(await api.get(`kyc-verifications/${id}`)).toMatchObject({
      status: "rejected",
      decidedBy: { kind: "person" },
    });
  },
  "/wallets": async ({ page, api, go, press, dialog, confirm }) => {
    await go("/wallets");
    await press("Create wallet");
    await dialog().getByLabel("Name", { exact: true }).fill("Operating");
    await confirm("Create wallet", "The wallet is created.");
    await page.getByRole("link", { name: "Operating" }).click();
    await press("Fund");
    await dialog().getByLabel("Amount in EUR").fill("1234.50");
    await confirm("Fund", "The money has arrived.");
    expect(await api.get("wallets")).toMatchObject([{ name: "Operating", balance: { available: 123_450 } }]);
  },
  "/payments": async ({ page, api, go, press, dialog, confirm, details }) => {
    const [from, to] = await Promise.all(
      ["Operating", "Reserve"].map((name) => api.post("wallets", { name, currency: "EUR" })),
    );
    await api.post(`sandbox/wallets/${from?.id}/fund`, { amount: 5_000 });
    await go("/payments");
    await press("Make a payment");
    await dialog()
      .getByLabel("From")
      .selectOption(from?.id ?? "");
    await dialog()
      .getByLabel("To", { exact: true })
      .selectOption(to?.id ?? "");
    await dialog().getByLabel("Amount").fill("10.50");
    await confirm("Pay", "The payment is in flight.");
    await page.locator(".row-link").first().click();
    await page.getByRole("figure", { name: "States: now settled" }).waitFor();
    // Things are called what people called them, and found by that.
    await details().getByRole("link", { name: "Reserve" }).waitFor();
    await page.getByLabel("Wallet", { exact: true }).selectOption("Operating · EUR");
    await page.getByRole("cell", { name: "Reserve", exact: true }).waitFor();
    // On a phone the filters fold, and the bar leads to payments and wallets.
    await page.setViewportSize({ width: 390, height: 844 });
    const wallet = page.getByLabel("Wallet", { exact: true });
    await wallet.waitFor({ state: "hidden" });
    await press("Filters, 1 set");
    await wallet.waitFor();
    const bar = page.getByRole("navigation", { name: "First screens" });
    await bar.getByRole("link", { name: "Wallets" }).waitFor();
    await bar.getByRole("link", { name: "Payments" }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await api.get("payments")).toMatchObject([{ amount: 1050, status: "settled" }]);
  },
  "/counterparties": async ({ page, api, go, press, dialog, confirm }) => {
    const wallet = await api.post("wallets", { name: "Operating", currency: "EUR" });
    await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 5_000 });
    const { id: verification } = await api.post("kyc-verifications", {
      ...{ reference: "grace", subject: verifiedPerson, documents: [passport] },
    });
    await api.post(`sandbox/kyc-verifications/${verification}/simulate`, { outcome: "verified" });
    await go("/counterparties");
    await press("Add a counterparty");
    await dialog().getByLabel("Name", { exact: true }).fill("Grace Hopper");
    await dialog().getByLabel("Account number").fill("DE89 3704 0044 0532 0130 00");
    await dialog().getByLabel("Verification").selectOption(verification);
    await confirm("Add counterparty", "The counterparty is created.");
    await page.getByText("It is not compared with the name of the counterparty.").waitFor();
    expect(await api.get("counterparties")).toMatchObject([
      { name: "Grace Hopper", accountNumberLast4: "3000", kycVerificationId: verification },
    ]);
    // Somebody who is paid for the first time is added on the way, and what was chosen before is kept.
    await press("Pay");
    await dialog().getByLabel("From").selectOption(wallet.id);
    await dialog().getByLabel("Amount").fill("10.50");
    await press("New counterparty");
    await dialog().getByLabel("Name", { exact: true }).fill("Ada Lovelace");
    await dialog().getByLabel("Account number").fill("GB33BUKB20201555555555");
    await dialog().getByRole("button", { name: "Add counterparty" }).click();
    await dialog()
      .getByLabel("To", { exact: true })
      .getByText("Ada Lovelace · EUR …5555")
      .waitFor({ state: "attached" });
    await confirm("Pay", "The payment is in flight.");
    const [ada, grace] = await api.get<{ id: string; name: string }[]>("counterparties");
    expect([ada?.name, grace?.name]).toEqual(["Ada Lovelace", "Grace Hopper"]);
    expect(await api.get("payments")).toMatchObject([{ amount: 1050, destination: { counterpartyId: ada?.id } }]);
    await go(`/counterparties?open=${grace?.id}`);
    await press("Archive");
    await confirm("Archive", "The counterparty is archived.");
    expect(await api.get(`counterparties/${grace?.id}`)).toMatchObject({ archivedAt: expect.any(String) });
  },
  "/transfers": async ({ page, api, go, press, dialog, confirm }) => {
    const wallet = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 75_000_000 });
    await go("/transfers");
    await press("Send a transfer");
    await dialog().getByLabel("From").selectOption(wallet.id);
    await dialog().getByLabel("To the address").fill(destinationAddress);
    await dialog().getByLabel("Amount").fill("0.025");
    await confirm("Send", "The transfer is in flight, or waits for its approval.");
    await page.locator(".row-link").first().click();
    await page.getByRole("figure", { name: "States: now initiated" }).waitFor();
    await press("Cancel");
    await confirm("Cancel transfer", "The transfer is canceled.");
    expect(await api.get("transfers")).toMatchObject([{ amount: 2_500_000, status: "canceled" }]);
  },
  "/transfers?view=rules": async ({ page, api, go, press, dialog, confirm }) => {
    await go("/transfers?view=rules");
    await press("Add a rule");
    await dialog().getByLabel("Transfers of").selectOption("BTC");
    await dialog().getByLabel("From this amount in BTC").fill("1.5");
    await dialog().getByLabel("What happens").selectOption("block");
    await dialog().getByLabel("Asked").selectOption("0");
    await confirm("Add the rule", "The rules are set, and apply in 24 hours. All owners are notified.");
    await page.getByText("1. From 1.50000000 BTC in 24 hours to any address: is refused").waitFor();
    await press("Add an address");
    await dialog().getByLabel("Name").fill("Cold storage");
    await dialog().getByLabel("Network").selectOption("bitcoin");
    await dialog().getByLabel("Address", { exact: true }).fill(destinationAddress);
    await confirm("Add the address", "The address is in the book. All owners are notified.");
    expect(await api.get("transfer-policy")).toMatchObject({
      next: { rules: [{ currency: "BTC", minimumAmount: 150_000_000, action: "block" }, {}, {}, {}, {}] },
    });
    expect(await api.get("address-book")).toMatchObject([{ name: "Cold storage", status: "pending" }]);
  },
  "/orders": async ({ page, api, go, press, dialog, confirm }) => {
    const [base, quote] = await Promise.all(
      ["BTC", "USD"].map((currency) => api.post("wallets", { name: currency, currency })),
    );
    await api.post(`sandbox/wallets/${quote?.id}/fund`, { amount: 1_000_000 });
    await go("/orders");
    await press("Place an order");
    await dialog().getByLabel("Instrument").selectOption("BTC-USD");
    await dialog()
      .getByText(/^Now: bid [\d,.]+, ask [\d,.]+ USD\.$/)
      .waitFor();
    await dialog().getByLabel("Quantity").fill("0.1");
    await dialog().getByLabel("Limit price").fill("1000");
    await dialog()
      .getByLabel("Wallet BTC")
      .selectOption(base?.id ?? "");
    await dialog()
      .getByLabel("Wallet USD")
      .selectOption(quote?.id ?? "");
    await confirm("Place order", "The order is with the venue.");
    await page.getByRole("cell", { name: "limit 1,000.00 USD", exact: true }).waitFor();
    await page.locator(".row-link").first().click();
    await page.getByRole("figure", { name: /^States: now (?:accepted|open)/ }).waitFor();
    expect(await api.get("orders")).toMatchObject([{ symbol: "BTC-USD", side: "buy", quantity: 10_000_000 }]);
  },
  "/ledger": async ({ page, api, go }) => {
    const wallet = await api.post("wallets", { name: "Operating", currency: "EUR" });
    await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 5_000 });
    await go("/ledger");
    await page.getByRole("link", { name: "Transactions" }).click();
    await page.locator(".row-link").first().click();
    await page.getByText("Debits and credits are equal").waitFor();
    expect(await api.get<unknown[]>("ledger-transactions")).toHaveLength(1);
  },
  "/webhooks": async ({ page, api, receiverUrl, go, press, dialog, readSecret }) => {
    await go("/webhooks");
    await press("Add webhook");
    await dialog().getByLabel("Address").fill(receiverUrl);
    await dialog().getByLabel("Description").fill("Payroll");
    await dialog()
      .getByLabel(/^wallet\.\* 0 of \d+$/)
      .check();
    await dialog().getByLabel("wallet.balance_changed", { exact: true }).uncheck();
    const everything = dialog().getByLabel(/^\* 1 of \d+$/);
    expect(await everything.evaluate((box) => "indeterminate" in box && box.indeterminate)).toBe(true);
    await dialog().getByRole("button", { name: "Add webhook" }).click();
    expect(await readSecret()).toMatch(/^whsec_/);
    // Next is a test event, and what the receiver says to it.
    await dialog().getByRole("button", { name: "Send" }).click();
    await page.getByText("The test event is on its way.").waitFor();
    await dialog()
      .getByText(/\d{3} after \d+ ms/)
      .waitFor();
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
    // The receiver does not know the secret, and refuses it.
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
  "/keys": async ({ page, api, go, press, dialog, confirm, readSecret }) => {
    await go("/keys");
    await press("Create key");
    await dialog().getByLabel("Name", { exact: true }).fill("Billing worker");
    await dialog()
      .getByLabel(/^Write/)
      .check();
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
    // What waits for its answer has its place.
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
    // Nothing was sent by that.
    expect(await api.get<unknown[]>("wallets")).toEqual([]);
  },
  "/try/$operationId": async ({ page, api, go }) => {
    await go("/try/createWallet");
    await page.getByRole("button", { name: "Send POST" }).click();
    await page.getByText("201", { exact: false }).first().waitFor();
    await waitFor(async () => (await api.get<unknown[]>("wallets")).length === 1);
  },
  "/people": async ({ page, api, go, press, dialog, confirm }) => {
    const email = `ada-${crypto.randomUUID()}@example.com`;
    await go("/people");
    await press("Invite");
    await dialog().getByLabel("E-mail address").fill(email);
    await confirm("Send invitation", "The invitation is sent.");
    await page.getByRole("link", { name: email }).waitFor();
    await press(`viewer change the role of ${email}`);
    await dialog()
      .getByLabel(/^Member/)
      .check();
    await confirm("Change role", "The role is changed.");
    expect(await api.get("people")).toContainEqual(expect.objectContaining({ email, role: "member" }));
  },
  "/settings": async ({ api, go, press, dialog, confirm }) => {
    await go("/settings");
    await press("Rename");
    await dialog().getByLabel("Name", { exact: true }).fill("Acme");
    await confirm("Rename", "The account is renamed.");
    expect(await api.get("account")).toMatchObject({ name: "Acme" });
  },
};

/** One page for all: each flow enters it as somebody new. */
export async function enterFlow(world: ConsolePage, page: Page): Promise<ScreenFlowWorld> {
  const { person, api } = await world.createAccount();
  await world.enterAs(page, person);
  const { go, press, dialog } = createHands({ page, world });
  return {
    ...{ page, person, api, receiverUrl: world.receiverUrl, go, press, dialog },
    confirm: async (button, done) => {
      await dialog().getByRole("button", { name: button, exact: true }).click();
      await page.getByText(done).first().waitFor();
      await dialog().waitFor({ state: "detached" });
    },
    details: () => page.getByRole("complementary", { name: "Details" }),
    readSecret: async () => {
      const secret = (await dialog().getByLabel("Secret", { exact: true }).textContent()) ?? "";
      world.system.auth.watch.note(secret);
      await press("I have stored it");
      await dialog().getByLabel("Secret", { exact: true }).waitFor({ state: "detached" });
      return secret;
    },
  };
}
