import { expect } from "vitest";
import { destinationAddress } from "./destination-address.ts";
import { passport, verifiedPerson, type ScreenFlows } from "./screen-flow.ts";

export const moneyScreenFlows: ScreenFlows = {
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
    await press("Freeze");
    await confirm("Freeze", "The wallet is frozen.");
    await press("Unfreeze");
    await confirm("Unfreeze", "The wallet is active again.");
    expect(await api.get("wallets")).toMatchObject([
      { name: "Operating", status: "active", balance: { available: 123_450 } },
    ]);
  },
  "/payments": async ({ page, api, go, press, dialog, confirm, details, field }) => {
    const [from, to] = await Promise.all(
      ["Operating", "Reserve"].map((name) => api.post("wallets", { name, currency: "EUR" })),
    );
    await api.post(`sandbox/wallets/${from?.id}/fund`, { amount: 5_000 });
    await go("/payments");
    await press("Make a payment");
    await field("From").selectOption(from?.id ?? "");
    await field("To", { exact: true }).selectOption(to?.id ?? "");
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
    // A person who is paid for the first time is added on the way, and the earlier choices are kept.
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
    await dialog().getByLabel("Position").selectOption("0");
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
  "/orders": async ({ page, api, go, press, dialog, confirm, field, words }) => {
    const [base, quote] = await Promise.all(
      ["BTC", "USD"].map((currency) => api.post("wallets", { name: currency, currency })),
    );
    await api.post(`sandbox/wallets/${quote?.id}/fund`, { amount: 1_000_000 });
    await go("/orders");
    await press("Place an order");
    await dialog().getByLabel("Instrument").selectOption("BTC-USD");
    await words(/^Now: bid [\d,.]+, ask [\d,.]+ USD\.$/).waitFor();
    await dialog().getByLabel("Quantity").fill("0.1");
    await dialog().getByLabel("Limit price").fill("1000");
    await field("Wallet BTC").selectOption(base?.id ?? "");
    await field("Wallet USD").selectOption(quote?.id ?? "");
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
};
