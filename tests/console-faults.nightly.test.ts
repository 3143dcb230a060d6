import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";
import { destinationAddress } from "./support/destination-address.ts";

const chromium = await startChromium();

/** Failures while a person works, and states that a person could mistake for others. */
describe.skipIf(chromium === null)("in the console, when something is missing", () => {
  const visit = visitConsole(chromium);
  const { go, press, dialog } = visit.hands;

  /** Calls whose path matches get the response of a failing gateway, until `isOver`. */
  const failAt = (path: RegExp, isOver: () => boolean = () => false) =>
    visit.page.route(
      (url) => path.test(url.pathname),
      (route) =>
        isOver()
          ? route.continue()
          : route.fulfill({
              status: 500,
              json: {
                error: {
                  code: "INTERNAL_ERROR",
                  message: "It broke.",
                  details: [],
                  docsUrl: "https://docs.example.com/",
                },
                meta: { requestId },
              },
            }),
    );
  /**
   * Fails calls from the page's next navigation. The first path fails until `Retry` is pressed, the second until it is
   * pressed twice. The page's own calls fail meanwhile too, so only the press can bring something back.
   */
  const failUntilRetried = async (...paths: readonly RegExp[]) => {
    const { page } = visit;
    let pressed = 0;
    await page.exposeFunction("countRetry", () => {
      pressed += 1;
    });
    await page.addInitScript(
      `addEventListener("pointerdown", ({ target }) => target.closest("button")?.textContent === "Retry" && countRetry(), true)`,
    );
    for (const [index, path] of paths.entries()) {
      await failAt(path, () => pressed > index);
    }
  };
  const requestId = "req_01kjpx7nkpf1qb30s1qgt1r7tq";

  /** Opens a page in which the browser may report missing data. In the visit's own page that is a fault. */
  async function openOtherPage(): Promise<Page> {
    const page = await (await visit.page.context().browser()?.newContext())?.newPage();
    if (page === undefined) {
      throw new Error("Chromium is gone.");
    }
    await visit.world.enterAs(page, visit.person);
    return page;
  }

  /** Creates the approval of a transfer that an owner must decide. */
  async function createApproval(): Promise<{ id: string }> {
    const { api } = visit;
    const { id: walletId } = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await api.post(`sandbox/wallets/${walletId}/fund`, { amount: 75_000_000 });
    const { approvalId } = await api.post("transfers", { walletId, amount: 2_500_000, destinationAddress });
    return { id: String(approvalId) };
  }

  test("a screen that was not seen yet says offline that it is, and comes with the network; the page stays", async () => {
    const { page } = visit;
    await go("/wallets");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByText("Offline: this screen loads when the network is back.").waitFor();
    expect(await page.getByRole("navigation", { name: "Screens" }).isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  });

  test("a console whose program does not come says so, and comes with Retry", async () => {
    const page = await openOtherPage();
    await page.route(/\/assets\/main-[\w-]{8}\.js$/, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${visit.world.system.consoleUrl}/wallets`);
    await page.getByRole("alert").getByText("The console could not be loaded.").waitFor();
    await expectAccessible(page, "a console that did not come");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Wallets", level: 1 }).waitFor();
  });

  test("a screen whose program does not come keeps the menu and the bar, says so, and comes with Retry", async () => {
    const { world } = visit;
    const page = await openOtherPage();
    await page.goto(`${world.system.consoleUrl}/wallets`);
    await page.getByRole("heading", { name: "Wallets", level: 1 }).waitFor();
    await page.route(/\/assets\/screen-[\w-]{8}\.js$/, (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("link", { name: "Usage", exact: true }).click();
    await page.getByRole("heading", { name: "This screen failed", level: 1 }).waitFor();
    await page.getByRole("alert").getByText("Failed to fetch").waitFor();
    await page.getByRole("navigation", { name: "Screens", exact: true }).waitFor();
    await page.getByRole("banner").waitFor();
    await expectAccessible(page, "a screen that failed");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  });

  test("what is stale says the code, the message and the request, which is a link", async () => {
    const { api, page } = visit;
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    await go("/wallets");
    await page.getByRole("link", { name: "Operating" }).waitFor();
    await failAt(/\/wallets$/);
    await api.post("wallets", { name: "Made meanwhile", currency: "EUR" });
    const stale = page.locator(".stale");
    await stale.waitFor({ timeout: 90_000 });
    expect(await stale.textContent()).toMatch(
      /^INTERNAL_ERROR: shown as of \d+ s ago\. It broke\. Request req_\w+Retry$/,
    );
    expect(await stale.getByRole("link", { name: requestId }).getAttribute("href")).toBe(`/logs?open=${requestId}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await expectAccessible(page, "a list that is stale");
  }, 120_000);

  test("on a phone a key and a person are two lines, with buttons for a thumb; an open one has its screen's heading", async () => {
    const { api, page } = visit;
    const made = await api.post("api-keys", { name: "Nightly reconciliation of all the wallets", permission: "write" });
    visit.world.system.auth.watch.note(String(made["secret"]));
    await api.post("people", { email: "somebody-with-a-long-name@example.com", role: "viewer" });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, buttons] of Object.entries({ "/keys": /^(?:Roll|Revoke) /, "/people": /change the role of/ })) {
      await go(path);
      await page.locator(".rows .button").first().waitFor();
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      for (const button of await page.locator(".rows").getByRole("button", { name: buttons }).all()) {
        const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      }
      const lines = await page.locator(".rows tbody tr").evaluateAll((rows) =>
        rows.map((row) => {
          const cells = [...row.children].filter((cell) => cell.getClientRects().length > 0);
          const middles = cells.map((cell) => {
            const { top, bottom } = cell.getBoundingClientRect();
            return Math.round((top + bottom) / 20);
          });
          return new Set(middles).size;
        }),
      );
      expect(
        lines.every((count) => count === 2),
        `${path}: ${lines.join(", ")}`,
      ).toBe(true);
      await expectAccessible(page, `${path} on a phone`);
      await page.locator(".row-link").first().click();
      await page.getByRole("complementary", { name: "Details" }).getByRole("heading", { level: 2 }).first().waitFor();
      const headings = page.getByRole("heading", { level: 1 });
      expect(await headings.count()).toBe(1);
      expect(await headings.isVisible()).toBe(true);
      await expectAccessible(page, `${path} with a pane on a phone`);
    }
  });

  test("an approval says why it cannot tell whether the address is known", async () => {
    const { id } = await createApproval();
    await failAt(/\/address-book$/);
    await go(`/inbox?queue=approvals&open=${id}`);
    await visit.page.locator(".pane").getByText(destinationAddress).waitFor();
    await visit.page.locator(".pane .failure").getByText(requestId).waitFor();
  });

  test("amounts are whole, whatever their length; a table of hours is one; nothing is wider than a phone", async () => {
    const { world, api, page } = visit;
    const { id } = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await api.post(`sandbox/wallets/${id}/fund`, { amount: 900_000_000_000 });
    await api.post("transfers", { walletId: id, amount: 2_500_000, destinationAddress });
    const webhook = await api.post("webhooks", { url: world.receiverUrl, events: ["wallet.created"] });
    const [booked] = await api.get<{ id: string }[]>("ledger-transactions");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await go(`/wallets?open=${id}`);
      const amount = page.locator(".figures .number").first();
      await amount.getByText("8,999.97498").waitFor();
      expect(await amount.evaluate((element) => element.getClientRects().length)).toBe(1);
      await go(`/ledger?view=transactions&open=${booked?.id}`);
      await page.getByText("Debits and credits are equal in BTC.").waitFor();
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await go(`/webhooks?open=${webhook.id}`);
      await page.getByText("As a table").click();
      const left = (of: string) =>
        page
          .locator(`.hours ${of}`)
          .nth(2)
          .evaluate((cell) => Math.round(cell.getBoundingClientRect().left));
      expect(await left("thead th")).toBe(await left("tbody tr:first-child > *"));
    }
  });

  test("the overview says which of what needs somebody could not be asked, and tells transfers apart", async () => {
    const { api, page } = visit;
    await createApproval();
    await api.post("sandbox/clock/advance", { seconds: 7200 });
    await go("/");
    await page.getByText("A transfer of 0.02500000 BTC waits for approval, and expires in 21 hours").waitFor();
    await failAt(/\/(?:approvals|account)$/);
    await page.reload();
    await expect.poll(() => page.locator(".failure").getByText(requestId).count()).toBe(2);
    expect(await page.getByText("Nothing needs you.").count()).toBe(0);
  });

  test("a dialog says which of its choices could not be asked for, and asks for them at Retry", async () => {
    const { api } = visit;
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    await failUntilRetried(/\/wallets$/, /\/counterparties$/);
    await go("/payments?do=create");
    const failures = dialog().locator(".failure");
    await expect.poll(() => failures.getByText(requestId).count(), { timeout: 60_000 }).toBe(2);
    await failures.first().getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => failures.count(), { timeout: 60_000 }).toBe(1);
    await failures.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => failures.count(), { timeout: 60_000 }).toBe(0);
    await dialog().getByLabel("From").selectOption({ label: "Operating · 0.00 EUR" });
  });

  test.each([
    ["the entries of a wallet", /\/ledger-entries$/, "Latest entries"],
    ["the networks of its deposits", /\/networks$/, null],
  ])("%s fail alone: the pane says so, and asks at Retry", async (_name, path, heading) => {
    const { api, page } = visit;
    const { id } = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await failUntilRetried(path);
    await go(`/wallets?open=${id}`);
    const pane = page.locator(".pane");
    await pane.locator(".failure").getByText(requestId).waitFor();
    expect(await pane.getByText("Cold storage").first().isVisible()).toBe(true);
    await pane.getByRole("button", { name: "Retry" }).click();
    await pane.locator(".failure").waitFor({ state: "detached", timeout: 60_000 });
    await pane.getByRole("heading", { name: heading ?? "Deposits" }).waitFor();
  });

  test("an account of the ledger is called by its wallet, and its moment is of the zone that was chosen", async () => {
    const { person, api } = visit;
    const page = await visit.enter(person, { timezoneId: "Asia/Tokyo" });
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    await go("/ledger");
    await page.getByRole("link", { name: "Operating · available" }).click();
    await page.getByRole("button", { name: "Local" }).click();
    await page.getByLabel("As of").fill("2026-03-09T11:00");
    await page.waitForURL((url) => url.searchParams.get("at") === "2026-03-09T11:00:00.000Z");
    await page.getByRole("button", { name: "UTC" }).click();
    expect(await page.getByLabel("As of").inputValue()).toBe("2026-03-09T20:00");
  });

  test("a dialog begins at its first field, but what can be sent as it is does not wait for one Enter more", async () => {
    const { api, page } = visit;
    await go("/wallets");
    await press("Create wallet");
    await dialog().waitFor();
    await page.keyboard.type("Operating");
    await page.keyboard.press("Enter");
    await page.getByText("The wallet is created.").waitFor();
    expect(await api.get("wallets")).toMatchObject([{ name: "Operating" }]);
    const { id } = await createApproval();
    await go(`/inbox?queue=approvals&open=${id}`);
    await page.locator(".pane").getByText(destinationAddress).waitFor();
    await page.keyboard.press("a");
    await dialog().waitFor();
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    expect(await api.get(`approvals/${id}`)).toMatchObject({ status: "requested" });
  });

  test("the key that copies says so, also where the browser refuses", async () => {
    const { api, page } = visit;
    const { id } = await api.post("wallets", { name: "Operating", currency: "EUR" });
    await go("/wallets");
    await page.getByRole("link", { name: "Operating" }).focus();
    await page.keyboard.press("c");
    await page.getByText(`${id} is copied.`).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(id);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await page.keyboard.press("c");
    await page.getByText("This browser does not let it be copied.").waitFor();
    await page.keyboard.press("Enter");
    await page
      .locator(".pane")
      .getByRole("button", { name: `Copy ${id}` })
      .click();
    await page.locator(".pane").getByRole("button", { name: "Not allowed here" }).waitFor();
  });

  test("on a phone More closes by Escape, and by the screen that one is on", async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 390, height: 844 });
    await go("/wallets");
    const more = page.getByRole("button", { name: "More" });
    const screens = page.getByRole("navigation", { name: "Screens", exact: true });
    await more.click();
    await screens.getByRole("link", { name: "Wallets" }).click();
    await screens.waitFor({ state: "hidden" });
    await more.click();
    await page.keyboard.press("Escape");
    await screens.waitFor({ state: "hidden" });
    expect(await more.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test("how many decisions wait stands beside the inbox: one more as it comes, and one less as it is decided", async () => {
    const { page } = visit;
    await go("/wallets");
    const inbox = page.getByRole("navigation", { name: "Screens", exact: true }).getByRole("link", { name: /^Inbox/ });
    const { id } = await createApproval();
    await expect.poll(() => inbox.textContent(), { timeout: 60_000 }).toMatch(/Inbox 1$/);
    await inbox.click();
    await page.locator(`.row-link[data-id="${id}"]`).click();
    await press("Simulate an owner");
    await dialog().getByRole("button", { name: "Simulate" }).click();
    await expect.poll(() => inbox.textContent(), { timeout: 60_000 }).toMatch(/Inbox$/);
  });
});
