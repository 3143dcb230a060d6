import { waitFor } from "@gateway/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addAuthenticator, addPasskey } from "../apps/auth/test/support/add-authenticator.ts";
import { startChromium } from "./support/chromium.ts";
import { ageSignIn, type ConsoleHands } from "./support/console-hands.ts";
import { expectAccessible } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";
import { destinationAddress } from "./support/destination-address.ts";

const chromium = await startChromium();
const iban = "DE89370400440532013000";
const day = 86_400;

type Balance = { available: number; held: number; pending: number };
type Approval = { status: string; decisions: { personId: string | null; decision: string; comment: string | null }[] };

/** Calls `work` `count` times, `atOnce` at a time. */
async function timesBy(atOnce: number, count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, more) => work(index + more)));
  }
}

/** The job of each money screen, done on the real system. The API agrees afterwards. */
describe.skipIf(chromium === null)("money in the console", () => {
  const visit = visitConsole(chromium);
  const { hands, joinAs } = visit;

  const wallet = async (currency: string, amount: number): Promise<string> => {
    const { id } = await visit.api.post("wallets", { name: `${currency} wallet`, currency });
    if (amount > 0) {
      await visit.api.post(`sandbox/wallets/${id}/fund`, { amount });
    }
    return id;
  };
  const advance = (seconds: number) => visit.api.post("sandbox/clock/advance", { seconds });
  const balanceOf = async (id: string): Promise<Balance> =>
    (await visit.api.get<{ balance: Balance }>(`wallets/${id}`)).balance;
  const state = (of: Page, now: string) => of.getByRole("figure", { name: `States: now ${now}` }).waitFor();

  test("an order is placed and filled; one that rests is replaced, and canceled", async () => {
    const { api, page } = visit;
    const [usd, btc] = [await wallet("USD", 10_000_000), await wallet("BTC", 0)];
    await api.post("sandbox/prices", { symbol: "BTC-USD", price: "50000", halted: false, stale: false });
    const place = async (fill: (dialog: ReturnType<ConsoleHands["dialog"]>) => Promise<void>): Promise<void> => {
      await hands.go("/orders?do=create");
      const dialog = hands.dialog();
      await dialog.getByLabel("Instrument").selectOption("BTC-USD");
      await fill(dialog);
      await dialog.getByLabel("Wallet BTC").selectOption(btc);
      await dialog.getByLabel("Wallet USD").selectOption(usd);
      await hands.submit("Place order");
      await page.waitForURL((url) => url.searchParams.has("open"));
    };
    await place(async (dialog) => {
      await dialog.getByLabel(/^Market/).check();
      await dialog.getByLabel("Spend at most USD").fill("1000");
    });
    await waitFor(async () => (await api.get<{ status: string }[]>("orders"))[0]?.status === "filled");
    // No event reports the state of an order, and the page reads it only now and then.
    await page.reload();
    await state(page, "filled");
    await page.getByRole("heading", { name: "Fills" }).waitFor();
    await page.getByText(/· taker/).waitFor();
    const [bought] = await api.get<{ status: string; filledQuantity: number }[]>("orders");
    expect(bought).toMatchObject({ status: "filled", side: "buy", type: "market", quoteAmount: 100_000 });
    expect((await balanceOf(btc)).available).toBe(bought?.filledQuantity);
    await expectAccessible(page, "an order");

    await place(async (dialog) => {
      await dialog.getByLabel("Quantity BTC").fill("0.1");
      await dialog.getByLabel("Limit price").fill("1000.00");
    });
    await advance(1);
    await page.reload();
    await state(page, "open");
    await hands.press("Replace");
    await hands.dialog().getByRole("button", { name: "Replace order" }).click();
    await hands.hears("Change the quantity or the price.");
    await hands.dialog().getByLabel("Limit price").fill("1100.00");
    await hands.submit("Replace order");
    const [second, first] = await api.get<{ id: string; status: string }[]>("orders");
    expect(second).toMatchObject({ replaces: first?.id, limitPrice: "1100.00", quantity: 10_000_000 });
    await page.waitForURL((url) => url.searchParams.get("open") === second?.id);
    await advance(1);
    await page.reload();
    await state(page, "open");
    expect(await api.get(`orders/${first?.id}`)).toMatchObject({ status: "replaced", replacedBy: second?.id });
    await hands.press("Cancel");
    await hands.submit("Cancel order");
    await advance(1);
    await page.reload();
    await state(page, "canceled");
    expect(await api.get(`orders/${second?.id}`)).toMatchObject({ status: "canceled", held: 0 });
    expect(await page.getByRole("button", { name: "Replace" }).getAttribute("title")).toBe("It is canceled.");
  });

  test("verifications are decided by keys: one verified, one rejected, with the reason kept", async () => {
    const { api, page } = visit;
    const subject = { givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-31", country: "DE" };
    const documents = [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }];
    const ids: string[] = [];
    for (const reference of ["customer-1", "customer-2"]) {
      const made = await api.post("kyc-verifications", {
        reference,
        subject: { ...subject, address: "1 Example Street, 10115 Berlin" },
        documents,
      });
      ids.push(made.id);
    }
    for (const [index, [key, submit, reason]] of (
      [
        ["a", "Verify", "Seen in person"],
        ["r", "Reject", "The picture is another's"],
      ] as const
    ).entries()) {
      await hands.go(`/inbox?queue=kyc&status=all&open=${ids[index]}`);
      await hands.press("Simulate the checks");
      await hands.submit("Simulate");
      await state(page, "review required");
      await page.keyboard.press(key);
      await hands.dialog().getByRole("button", { name: submit, exact: true }).click();
      await hands.hears("Say why.");
      await hands.dialog().getByLabel("Why").fill(reason);
      await hands.submit(submit);
      await state(page, index === 0 ? "verified" : "rejected");
      expect(await page.getByRole("button", { name: "Verify" }).getAttribute("aria-disabled")).toBe("true");
    }
    expect(await api.get(`kyc-verifications/${ids[0]}`)).toMatchObject({
      ...{ status: "verified", decisionReason: "Seen in person" },
      decidedBy: { kind: "person" },
    });
    expect(await api.get(`kyc-verifications/${ids[1]}`)).toMatchObject({ status: "rejected" });
  });

  test("a transfer takes two owners, who see what is at stake; who asked is none of them", async () => {
    const { api, page } = visit;
    const btc = await wallet("BTC", 75_000_000);
    const other = await joinAs("owner");
    const rules = [{ currency: "any", minimumAmount: 0, destination: "any" }].map((rule) => ({
      ...rule,
      ...{ action: "require_approval", requiredApprovals: 2 },
    }));
    expect((await hands.call("PUT", "transfer-policy", { rules })).status).toBe(200);
    // A new owner and a new policy take effect a day later.
    await advance(day + 60);

    await hands.go("/transfers?do=create");
    await hands.dialog().getByLabel("From").selectOption(btc);
    await hands.dialog().getByLabel("To the address").fill(destinationAddress);
    await hands.dialog().getByLabel("Amount").fill("0.025");
    await hands.submit("Send");
    const [transfer] = await api.get<{ id: string; approvalId: string; fee: number }[]>("transfers");
    expect(transfer).toMatchObject({ amount: 2_500_000, status: "initiated", initiatedBy: { kind: "person" } });
    const path = `/inbox?queue=approvals&open=${transfer?.approvalId}`;
    await hands.go(path);
    await page.getByText("0 of 2").first().waitFor();
    await page.getByText("New address.").waitFor();
    await page.getByText(", you").waitFor();
    await page.getByText("in 23 hours").or(page.getByText("in 24 hours")).first().waitFor();
    const held = page.getByLabel("The wallet");
    await held.getByText("0.75000000").waitFor();
    await held
      .getByText(new RegExp(String((75_000_000 - 2_500_000 - (transfer?.fee ?? 0)) / 1e8)))
      .first()
      .waitFor();
    const approve = page.getByRole("button", { name: "Approve" });
    expect(await approve.getAttribute("title")).toBe("You asked for it: another owner decides.");
    await page.keyboard.press("a");
    expect(await hands.dialog().count()).toBe(0);
    expect(await hands.call("POST", `approvals/${transfer?.approvalId}/approve`, {})).toMatchObject({
      status: 403,
      json: { error: { code: "APPROVER_IS_INITIATOR" } },
    });
    await expectAccessible(page, "an approval");

    await other.hands.go(path);
    await other.page.getByRole("heading", { name: "Decisions" }).waitFor();
    await other.page.keyboard.press("a");
    await other.hands.dialog().getByLabel("Comment").fill("Agreed with the supplier");
    await other.hands.submit("Approve");
    await other.page.getByText("1 of 2").first().waitFor();
    await other.page.locator('button[data-operation="approveApproval"][title="You have decided."]').waitFor();
    const third = await joinAs("owner");
    await advance(2);
    await third.hands.go(path);
    await third.page.getByText("1 of 2").first().waitFor();
    await third.page.getByText("Agreed with the supplier").waitFor();
    await third.hands.press("Approve");
    await third.hands.submit("Approve");
    await state(third.page, "approved");
    const approval = await api.get<Approval>(`approvals/${transfer?.approvalId}`);
    expect(approval.status).toBe("approved");
    expect(new Set(approval.decisions.map(({ personId }) => personId)).size).toBe(2);
    await hands.go(`/transfers?open=${transfer?.id}`);
    await advance(7200);
    await waitFor(async () => (await api.get<{ status: string }>(`transfers/${transfer?.id}`)).status === "completed");
    await page.reload();
    await state(page, "completed");
    expect(await balanceOf(btc)).toMatchObject({ available: 75_000_000 - 2_500_000 - (transfer?.fee ?? 0), held: 0 });
  });

  test("who made the key that asked cannot approve; another owner rejects, and what nobody decides expires", async () => {
    const { world, api, page } = visit;
    const btc = await wallet("BTC", 75_000_000);
    const other = await joinAs("owner");
    await advance(day + 60);
    const made = await hands.call("POST", "api-keys", { name: "Payroll", permission: "write" });
    const { secret } = made.json.data as { secret: string };
    world.system.auth.watch.note(secret);
    const send = async (): Promise<string> => {
      const response = await fetch(`${world.system.auth.apiUrl}/api/v1/transfers`, {
        method: "POST",
        headers: { "X-API-Key": secret, "Content-Type": "application/json" },
        body: JSON.stringify({ walletId: btc, amount: 2_500_000, destinationAddress }),
      });
      return ((await response.json()) as { data: { approvalId: string } }).data.approvalId;
    };
    const [first, second, third] = [await send(), await send(), await send()];
    await hands.go(`/inbox?queue=approvals&open=${first}`);
    await page.getByText(", which you made").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).getAttribute("title")).toBe(
      "A key that you made asked for it: another owner decides.",
    );
    expect(await hands.call("POST", `approvals/${first}/approve`, {})).toMatchObject({
      json: { error: { code: "APPROVER_IS_INITIATOR" } },
    });

    // The other approval is rejected with a reason, and its money is available again.
    await other.hands.go(`/inbox?queue=approvals&open=${second}`);
    await other.page.getByRole("button", { name: "Reject" }).waitFor();
    await other.page.keyboard.press("r");
    await other.hands.dialog().getByLabel("Comment").fill("Nobody knows this address");
    await other.hands.submit("Reject");
    await state(other.page, "rejected");
    expect(await api.get(`approvals/${second}`)).toMatchObject({
      status: "rejected",
      decisions: [{ decision: "rejected", comment: "Nobody knows this address" }],
    });
    // An approval that is not decided expires.
    await hands.go("/inbox");
    await page.getByText(/^Next:/).waitFor();
    await hands.go("/sandbox");
    await hands.press("+1 day");
    await page
      .getByText(/things fell due/)
      .first()
      .waitFor();
    await page.getByLabel("What fell due").getByText("wallet.balance_changed").first().waitFor();
    await hands.go(`/inbox?queue=approvals&open=${third}`);
    await state(page, "expired");
    expect(await api.get(`approvals/${third}`)).toMatchObject({ status: "expired", decisions: [] });
  });

  test("another owner proves with a passkey to be there, and comes back to the rule that was to be removed", async () => {
    const { world, api } = visit;
    const other = await joinAs("owner");
    await addAuthenticator(other.page);
    await other.page.goto(`${world.system.auth.origin}/account`);
    await addPasskey(other.page);
    const path = "/transfers?view=rules";
    await other.hands.go(path);
    await ageSignIn(world, other.page, other.person.user.id, 600);
    await other.page.getByRole("button", { name: "Remove" }).first().click();
    await other.hands.dialog().getByRole("button", { name: "Remove the rule" }).click();
    await other.page.getByText("FRESH_SIGN_IN_REQUIRED").waitFor();
    expect(await api.get("transfer-policy")).toMatchObject({ next: null });
    await other.page.getByRole("link", { name: "Confirm that it is you" }).click();
    await other.page.click('button:has-text("Sign in with a passkey")');
    await other.page.waitForURL(`${world.system.consoleUrl}${path}&do=remove-rule&rule=1`);
    await other.hands.submit("Remove the rule");
    await other.page.getByRole("list", { name: "Rules that can be changed" }).waitFor();
    const { rules, next } = await api.get<{ rules: unknown[]; next: { rules: unknown[] } }>("transfer-policy");
    expect(next.rules).toEqual(rules.slice(1));
    await expectAccessible(other.page, "the rules of transfers");
  });

  test("who signed in too long ago hears it before a form is filled in, and comes back to it", async () => {
    const { world, api } = visit;
    const other = await joinAs("owner");
    await ageSignIn(world, other.page, other.person.user.id, 600);
    const path = "/transfers?view=rules&do=add-address";
    await other.hands.go(path);
    await other.hands.dialog().getByRole("link", { name: "sign in again before you go on" }).click();
    await other.page.locator('input[name="password"]').fill(other.person.password);
    await other.page.keyboard.press("Enter");
    await other.page.waitForURL(world.system.consoleUrl + path);
    await other.hands.dialog().getByText("You must have signed in within the last 5 minutes.").waitFor();
    await other.hands.dialog().getByLabel("Name", { exact: true }).fill("Cold storage");
    await other.hands.dialog().getByLabel("Address", { exact: true }).fill(destinationAddress);
    await other.hands.dialog().getByLabel("Network").selectOption("bitcoin");
    await other.hands.submit("Add the address");
    await other.hands.hears("The address is in the book. All owners are notified.");
    expect(await api.get("address-book")).toMatchObject([{ name: "Cold storage", address: destinationAddress }]);
  });

  test("a payment to a bank fails, another settles and is returned; one is canceled in time", async () => {
    const { api, page } = visit;
    const eur = await wallet("EUR", 1_000_000);
    await api.post("counterparties", { name: "Supplier", currency: "EUR", accountNumber: iban });
    const pay = async (amount: string): Promise<{ id: string }> => {
      await hands.go("/payments?do=create");
      await hands.dialog().getByLabel("From").selectOption(eur);
      await hands.dialog().getByLabel("To", { exact: true }).selectOption({ label: "Supplier · EUR …3000" });
      await hands.dialog().getByLabel("Amount").fill(amount);
      await hands.submit("Pay");
      await page.waitForURL((url) => url.searchParams.has("open"));
      await state(page, "initiated");
      const [payment] = await api.get<{ id: string }[]>("payments");
      return { id: payment?.id ?? "" };
    };
    const simulate = async (outcome: string): Promise<void> => {
      await hands.press("Simulate the end");
      await hands.dialog().getByLabel(outcome).check();
      await hands.submit("Simulate");
    };
    const failed = await pay("12.34");
    await simulate("Failed");
    await hands.hears("It is failed, and this is final.");
    const { failureCode } = await api.get<{ failureCode: string; status: string }>(`payments/${failed.id}`);
    await page.locator(".note.bad").getByText(failureCode).waitFor();
    expect(await balanceOf(eur)).toMatchObject({ available: 1_000_000, held: 0, pending: 0 });
    const settled = await pay("12.34");
    await simulate("Settled");
    await waitFor(async () => (await api.get<{ status: string }>(`payments/${settled.id}`)).status === "settled");
    await page.reload();
    await state(page, "settled");
    await simulate("Returned");
    await hands.hears("Returned");
    await waitFor(
      async () => (await api.get<{ returnedAmount: number }>(`payments/${settled.id}`)).returnedAmount === 1234,
    );
    const canceled = await pay("5");
    await hands.press("Cancel");
    await hands.submit("Cancel payment");
    expect(await api.get(`payments/${canceled.id}`)).toMatchObject({ status: "failed", failureCode: "canceled" });
  });

  test("a deposit comes to an address, and is confirmed; the ledger sums to nothing at both moments", async () => {
    const { api, page } = visit;
    const btc = await wallet("BTC", 0);
    await hands.go(`/wallets?open=${btc}`);
    await hands.press("New address");
    await hands.submit("Get the address");
    const [known] = await api.get<{ address: string }[]>(`deposit-addresses?walletId=${btc}`);
    await page
      .getByLabel("Deposit addresses")
      .getByText(known?.address ?? "none")
      .waitFor();
    await hands.press("Simulate a deposit");
    await hands.dialog().getByLabel("Amount in BTC").fill("0.5");
    await hands.submit("Simulate");
    await page.getByLabel("Deposits", { exact: true }).getByText("detected").waitFor();
    expect(await balanceOf(btc)).toMatchObject({ available: 0, pending: 50_000_000 });
    await hands.press("Simulate the end");
    await hands.submit("Simulate");
    await hands.hears("confirmed");
    await waitFor(async () => (await balanceOf(btc)).available === 50_000_000);

    await hands.go("/ledger?view=transactions");
    await page.locator(".row-link").nth(1).waitFor();
    const rows = await page.locator(".row-link").count();
    expect(rows).toBeGreaterThan(1);
    for (let index = 0; index < rows; index += 1) {
      await page.locator(".row-link").nth(index).click();
      await page.getByText("Debits and credits are equal in BTC.").waitFor();
    }
    const accounts =
      await api.get<{ id: string; walletId: string | null; purpose: string; balance: number | null }[]>(
        "ledger-accounts",
      );
    const available = accounts.find(({ walletId, purpose }) => walletId === btc && purpose === "available");
    await hands.go(`/ledger?open=${available?.id}`);
    await page.getByRole("complementary").getByText("0.50000000").first().waitFor();
    // Two minutes ago the ledger account was empty.
    const before = new Date(Date.now() - 120_000).toISOString().slice(0, 19);
    const past = await api.get<{ balance: number | null }>(
      `ledger-accounts/${available?.id}?at=${new Date(before).toISOString()}`,
    );
    expect(past.balance ?? 0).toBe(0);
    await page.getByLabel("As of").fill(before);
    await page
      .locator(".facts")
      .getByText(past.balance === null ? "not sealed yet" : "0.00000000")
      .waitFor();
    await expectAccessible(page, "a ledger account");
  });

  test("what is beyond the first hundred is chosen, named and counted like the rest; what a pane leaves out is one press away", async () => {
    const { api, page, world } = visit;
    const { id: from } = await api.post("wallets", { name: "Oldest", currency: "EUR" });
    const { id: to } = await api.post("wallets", { name: "Second", currency: "EUR" });
    const fund = (amount: number) => api.post(`sandbox/wallets/${from}/fund`, { amount });
    await timesBy(4, 12, () => fund(100_000));
    await timesBy(4, 112, (index) => api.post("wallets", { name: `Wallet ${index}`, currency: "EUR" }));
    await hands.go("/payments?do=create");
    const dialog = hands.dialog();
    await dialog.getByLabel("From").selectOption({ label: "Oldest · 12,000.00 EUR" });
    await dialog.getByLabel("To").selectOption({ label: "Wallet Second · EUR" });
    await dialog.getByLabel("Amount").fill("10.50");
    await hands.submit("Pay");
    await waitFor(async () => (await balanceOf(to)).available === 1050);

    // The transaction names the wallets' ledger accounts, and shows amounts in their currency.
    const booked = await api.get<{ id: string; kind: string }[]>("ledger-transactions?kind=payment");
    await hands.go(`/ledger?view=transactions&open=${booked[0]?.id}`);
    const entries = page.getByRole("table", { name: "Entries" });
    await entries.getByRole("link", { name: "Second · available" }).waitFor();
    await page.getByText("Debits and credits are equal in EUR.").waitFor();
    expect(await entries.textContent()).toMatch(/10\.50/);
    expect(await entries.textContent()).not.toContain("minor units");

    await hands.go(`/wallets?open=${from}`);
    const lines = page.locator(".below", { hasText: "Latest entries" });
    await expect.poll(() => lines.getByRole("listitem").count()).toBe(10);
    await lines.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => lines.getByRole("listitem").count()).toBeGreaterThan(12);
    expect(await lines.getByText("As of").count()).toBe(0);
    await timesBy(4, 400, () => fund(1));
    // A list of that length is not refreshed automatically, and the page says how old it is.
    await page.reload();
    await lines.getByRole("button", { name: "Show all" }).click();
    await lines.getByText("As of").waitFor();
    await fund(123_456);
    // A press during the load makes it start again.
    await expect
      .poll(
        async () => {
          await lines.getByRole("button", { name: "Load again" }).click();
          return lines.textContent();
        },
        { interval: 3_000, timeout: 60_000 },
      )
      .toContain("1,234.56");

    // An address in the address book is not new, however long ago it was added.
    const { platform } = world.system.auth;
    const accountId = visit.person.account.id;
    await platform.inAccount(accountId, async ({ custody }) => {
      await custody.addressBook.create({ accountId, network: "bitcoin", address: destinationAddress, name: "Ours" });
      for (let number = 0; number < 101; number += 1) {
        const address = `0x${number.toString(16).padStart(40, "0")}`;
        await custody.addressBook.create({ accountId, network: "ethereum", address, name: `Theirs ${number}` });
      }
    });
    const walletId = await wallet("BTC", 75_000_000);
    const { approvalId } = await api.post("transfers", { walletId, amount: 2_500_000, destinationAddress });
    await hands.go(`/inbox?queue=approvals&open=${String(approvalId)}`);
    await page.locator(".pane").getByText("Ours", { exact: true }).waitFor();
    expect(await page.getByText("New address.").count()).toBe(0);
  });
});
