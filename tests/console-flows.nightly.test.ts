import { waitFor } from "@gateway/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";
import { destinationAddress } from "./support/destination-address.ts";

const chromium = await startChromium();

/** The job of each screen, done on the real system. The API agrees afterwards. */
describe.skipIf(chromium === null)("in the console", () => {
  const visit = visitConsole(chromium);
  const { go, press, dialog } = visit.hands;

  test("a key is made with what it opens in sight, shown once, rolled and revoked", async () => {
    const { world, api, page } = visit;
    await go("/keys");
    await press("Create key");
    await page.getByLabel("Name", { exact: true }).fill("Billing worker");
    expect(
      await dialog()
        .getByText(/Opens \d+ operations/)
        .textContent(),
    ).toMatch(/Opens \d\d/);
    await page.getByLabel(/^Write/).check();
    expect(await dialog().getByText("As code").isVisible()).toBe(true);
    await expectAccessible(page, "create a key");
    await dialog().getByRole("button", { name: "Create key" }).click();
    const secret = (await page.getByLabel("Secret", { exact: true }).textContent()) ?? "";
    expect(secret).toMatch(/^gk_test_/);
    world.system.auth.watch.note(secret);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 400);
    expect(await page.getByLabel("Secret", { exact: true }).isVisible()).toBe(true);
    await press("I have stored it");
    await page.getByLabel("Secret", { exact: true }).waitFor({ state: "detached" });
    await page.goBack();
    await page.goForward();
    expect(await remains(page, secret)).toEqual([]);

    const [made] = await api.get<{ id: string; name: string; permission: string }[]>("api-keys");
    expect(made).toMatchObject({ name: "Billing worker", permission: "write" });
    await page.getByRole("link", { name: "Billing worker" }).click();
    await press("Roll");
    await dialog().getByRole("button", { name: "Roll key" }).click();
    world.system.auth.watch.note((await page.getByLabel("Secret", { exact: true }).textContent()) ?? "");
    await press("I have stored it");
    await page.getByText("Both keys work until").waitFor();
    await press("Revoke");
    await dialog().getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Billing worker is revoked.").waitFor();
    expect(await api.get(`api-keys/${made?.id}`)).toMatchObject({ status: "revoked", replacedBy: expect.any(String) });
  });

  test("a webhook is added, tested, read in its delivery, disabled and enabled, its secret rolled", async () => {
    const { world, api, page } = visit;
    await go("/webhooks");
    await press("Add webhook");
    await page.getByLabel("Address").fill(world.receiverUrl);
    await page.getByLabel("Description").fill("Payroll");
    await page.getByLabel("wallet.created").check();
    await dialog().getByRole("button", { name: "Add webhook" }).click();
    const secret = (await page.getByLabel("Secret", { exact: true }).textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    world.system.auth.watch.note(secret);
    await press("I have stored it");
    const [webhook] = await api.get<{ id: string }[]>("webhooks");
    // Next are a test event and the receiver's response to it.
    await dialog().getByRole("button", { name: "Send" }).click();
    await page.getByText("The test event is being sent.").waitFor();
    await dialog()
      .getByText(/\d{3} after \d+ ms/)
      .waitFor();
    await dialog().getByRole("button", { name: "Close" }).last().click();
    // The receiver does not know the secret, so it refuses what it cannot verify.
    await waitFor(async () => {
      const [delivery] = await api.get<{ attemptCount: number }[]>(`deliveries?webhookId=${webhook?.id}`);
      return delivery?.attemptCount === 1;
    });
    await page.getByRole("region", { name: "Webhooks" }).waitFor();
    await page.locator(".below .lines a").first().click();
    await page.getByRole("list", { name: "Attempts" }).waitFor();
    expect(await page.getByRole("list", { name: "Attempts" }).getByRole("listitem").count()).toBe(6);
    await press("Resend");
    await dialog().getByRole("button", { name: "Resend" }).click();
    await page.getByText("It is sent again.").waitFor();
    await page.getByText("resent by hand").waitFor();
    await expectAccessible(page, "a delivery");

    await go(`/webhooks?open=${webhook?.id}`);
    await press("Roll secret");
    await dialog().getByRole("button", { name: "Roll secret" }).click();
    world.system.auth.watch.note((await page.getByLabel("Secret", { exact: true }).textContent()) ?? "");
    await press("I have stored it");
    await page.getByText("signed with the old secret too").waitFor();
    await press("Disable");
    await dialog().getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).waitFor();
    expect(await api.get(`webhooks/${webhook?.id}`)).toMatchObject({ status: "disabled" });
    await api.post("wallets", { name: "Held", currency: "EUR" });
    await press("Enable");
    await dialog()
      .getByText(/^It sends \d held events?/)
      .waitFor();
    await dialog().getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Disable" }).waitFor();
    expect(await api.get(`webhooks/${webhook?.id}`)).toMatchObject({ status: "enabled", description: "Payroll" });
  });

  test("a signature is checked without asking anybody", async () => {
    const { page } = visit;
    await go("/webhooks?do=signature");
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const { header, body, secret } = await signed();
    await page.getByLabel("Secret", { exact: true }).fill(secret);
    await page.getByLabel("Header").fill(header);
    await page.getByLabel("Body").fill(body);
    await page.getByText("The signature fits").waitFor();
    await page.getByLabel("Body").fill(`${body} `);
    await page.locator(".note.bad").waitFor();
    expect(asked.filter((url) => !/\/(?:api\/v1|assets)\/|\/session$|\.svg$/.test(url))).toEqual([]);
    expect(asked.join()).not.toContain("whsec");
  });

  test("a wallet is made, funded, renamed, frozen and unfrozen; a payment goes out of it and settles", async () => {
    const { api, page } = visit;
    await go("/wallets");
    await press("Create wallet");
    await page.getByLabel("Name", { exact: true }).fill("Operating");
    await dialog().getByRole("button", { name: "Create wallet" }).click();
    await page.getByText("The wallet is created.").waitFor();
    await page.getByRole("link", { name: "Operating" }).click();
    await press("Fund");
    await page.getByLabel("Amount in EUR").fill("1234.50");
    await dialog().getByRole("button", { name: "Fund" }).click();
    await page.getByText("The money has arrived.").waitFor();
    await press("Freeze");
    await dialog().getByRole("button", { name: "Freeze" }).click();
    await press("Unfreeze");
    await dialog().getByRole("button", { name: "Unfreeze" }).click();
    await page.getByText("The wallet is active again.").waitFor();
    const [wallet] = await api.get<{ id: string; balance: { available: number } }[]>("wallets");
    expect(wallet?.balance.available).toBe(123_450);
    const other = await api.post("wallets", { name: "Reserve", currency: "EUR" });

    await go("/payments?do=create");
    await page.getByLabel("From").selectOption(wallet?.id ?? "");
    await page.getByLabel("To", { exact: true }).selectOption(other.id);
    await page.getByLabel("Amount").fill("10.505");
    await dialog().getByRole("button", { name: "Pay" }).click();
    await page.getByText(/at most 2/).waitFor();
    await page.getByLabel("Amount").fill("10.50");
    await dialog().getByRole("button", { name: "Pay" }).click();
    await page.getByText("The payment is in flight.").waitFor();
    const [payment] = await api.get<{ id: string; amount: number; status: string }[]>("payments");
    expect(payment).toMatchObject({ amount: 1050, status: "settled" });
    await page.locator(".row-link").first().click();
    await page.getByRole("figure", { name: "States: now settled" }).waitFor();
    await expectAccessible(page, "a payment");
    await go("/ledger?view=transactions");
    await page.locator(".row-link").first().click();
    await page.getByText("Debits and credits are equal").waitFor();
  });

  test("somebody is invited, and gets another role; an application is registered; the account is renamed", async () => {
    const { api, page } = visit;
    await go("/people");
    await press("Invite");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await dialog().getByRole("button", { name: "Send invitation" }).click();
    await page.getByText("The invitation is sent.").waitFor();
    await page.getByRole("link", { name: "ada@example.com" }).click();
    await press("Change role");
    await page.getByLabel(/^Member/).check();
    await dialog()
      .getByText(/Gains \d+ operations/)
      .waitFor();
    await dialog().getByRole("button", { name: "Change role" }).click();
    await page.getByText("The role is changed.").waitFor();
    const people = await api.get<{ email: string; role: string }[]>("people");
    expect(people).toContainEqual(expect.objectContaining({ email: "ada@example.com", role: "member" }));

    await go("/applications");
    await press("Register application");
    await page.getByLabel("Name", { exact: true }).fill("Ledger viewer");
    await page.getByLabel("Redirect URIs").fill("https://app.example.com/callback");
    await dialog().getByText("Allow “Ledger viewer”?").waitFor();
    await dialog().getByRole("button", { name: "Register" }).click();
    await page.getByText("The application is registered.").waitFor();
    expect(await api.get("oauth-applications")).toMatchObject([
      { name: "Ledger viewer", scopes: ["openid", "email", "read"] },
    ]);

    await go("/settings");
    await press("Rename");
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await dialog().getByRole("button", { name: "Rename" }).click();
    await page.getByText("The account is renamed.").waitFor();
    expect(await api.get("account")).toMatchObject({ name: "Acme" });
  });

  test("the clock of the sandbox is moved, and a transfer waits in the inbox until an owner decides", async () => {
    const { api, page } = visit;
    const wallet = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 75_000_000 });
    await api.post("transfers", { walletId: wallet.id, amount: 2_500_000, destinationAddress });
    await go("/inbox");
    await page.locator(".row-link").first().click();
    await page.getByText("0 of").first().waitFor();
    await expectAccessible(page, "an approval");
    // A person who became owner today cannot decide yet, and the page says so.
    await press("Approve");
    await dialog().getByRole("button", { name: "Approve" }).click();
    await dialog().getByRole("alert").waitFor();
    await press("Cancel");
    await press("Simulate an owner");
    await dialog().getByRole("button", { name: "Simulate" }).click();
    await page.getByText("A simulated owner has decided.").waitFor();
    const [approval] = await api.get<{ decisions: { decision: string }[] }[]>("approvals");
    expect(approval?.decisions).toMatchObject([{ decision: "approved" }]);

    await go("/sandbox");
    await press("+12 hours");
    await page
      .getByText(/things fell due/)
      .first()
      .waitFor();
    expect((await api.get<{ aheadSeconds: number }>("sandbox/clock")).aheadSeconds).toBeGreaterThanOrEqual(43_200);
  });

  test("what others wrote is text, whatever is in it", async () => {
    const { api, page } = visit;
    const hostile = [
      '<img src=x onerror="window.hacked=1">',
      "javascript:window.hacked=1",
      "\u202egnp.exe",
      "`$(id)` '\" ${7*7} {{7*7}}",
    ];
    for (const [index, name] of hostile.entries()) {
      await api.post("wallets", {
        name,
        currency: "EUR",
        metadata: { note: `<script>window.hacked=${index}</script>` },
      });
    }
    await go("/wallets");
    for (const name of hostile) {
      await page.locator(".row-link", { hasText: name }).waitFor();
    }
    await page.locator(".row-link").last().click();
    await page.getByLabel("Metadata").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("img, script:not([src])").count()).toBe(0);
  });

  test("by keyboard alone: to a screen, down its rows, into one and out, and back to where the focus was", async () => {
    const { api, page } = visit;
    await api.post("wallets", { name: "One", currency: "EUR" });
    await api.post("wallets", { name: "Two", currency: "EUR" });
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.locator(".row-link", { hasText: "Two" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "One", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "One", exact: true }).waitFor({ state: "detached" });
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await page.keyboard.type("api keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Create key" }).focus();
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Create key");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard" }).waitFor();
  });

  test("beyond one's role what can be done stays in sight, cannot be pressed, and names the role", async () => {
    const { world, person, api } = visit;
    const viewer = await world.system.auth.createPerson({ account: person.account, role: "viewer" });
    const wallet = await api.post("wallets", { name: "Operating", currency: "EUR" });
    const own = await world.openPage();
    await world.signIn(own, viewer);
    await own.goto(`${world.system.consoleUrl}/wallets?open=${wallet.id}`);
    const freeze = own.getByRole("button", { name: "Freeze" });
    expect(await freeze.getAttribute("aria-disabled")).toBe("true");
    expect(await freeze.getAttribute("title")).toBe("Needs the role member. You are viewer.");
    await freeze.click({ force: true });
    expect(await own.getByRole("dialog").count()).toBe(0);
    await own.goto(`${world.system.consoleUrl}/keys`);
    await own.getByText("FORBIDDEN").waitFor();
    await own.context().close();
  });

  test("who signs out is out in every tab", async () => {
    const { world, page } = visit;
    const other = await page.context().newPage();
    await other.goto(`${world.system.consoleUrl}/wallets`);
    await other.getByRole("heading", { name: "Wallets", level: 1 }).waitFor();
    await page.getByRole("button", { name: /, owner$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await other.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    expect(
      await other.evaluate<number>(
        "fetch('/api/v1/wallets', { headers: { 'X-Console': '1' } }).then(({ status }) => status)",
      ),
    ).toBe(401);
  });
});

/** The places that still contain a secret after its dialog was left. */
async function remains(page: Page, secret: string): Promise<string[]> {
  const places = await page.evaluate<Record<string, string>>(`({
    document: document.documentElement.outerHTML,
    localStorage: JSON.stringify(localStorage),
    sessionStorage: JSON.stringify(sessionStorage),
    history: JSON.stringify(history.state) + location.href,
  })`);
  return Object.entries(places).flatMap(([name, text]) => (text.includes(secret) ? [name] : []));
}

async function signed(): Promise<{ header: string; body: string; secret: string }> {
  const { signPayload } = await import("@gateway/webhooks");
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = JSON.stringify({
    id: "evt_1",
    type: "wallet.created",
    created: "2026-01-01T00:00:00Z",
    data: { object: {} },
    livemode: false,
  });
  const header = await signPayload({ body, secrets: [secret], timestampSeconds: Math.floor(Date.now() / 1000) });
  return { header, body, secret };
}
