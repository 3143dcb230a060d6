import { waitFor } from "@gateway/testkit";
import type { Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { ageSignIn, createHands } from "./support/console-hands.ts";
import { expectAccessible } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";
import { destinationAddress } from "./support/destination-address.ts";

const chromium = await startChromium();

const requestId = "req_01kjpx7nkpf1qb30s1qgt1r7tq";
const failed = {
  status: 500,
  json: {
    error: { code: "INTERNAL_ERROR", message: "It broke.", details: [], docsUrl: "https://docs.example.com/" },
    meta: { requestId },
  },
};

/** Collects the POST requests to a path. */
function watchPosts(page: Page, path: string): Request[] {
  const posts: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === path) {
      posts.push(request);
    }
  });
  return posts;
}

/** The requests that a screen sends, when and how often, and the list that shows the result. */
describe.skipIf(chromium === null)("the console in a browser sends", () => {
  const visit = visitConsole(chromium, { isQuick: true });
  const { go, press, dialog, submit } = visit.hands;

  const failAt = (path: RegExp) =>
    visit.page.route(
      (url) => path.test(url.pathname),
      (route) => route.fulfill(failed),
    );
  /** Creates a transfer by a key, which an owner must approve. Returns the id of the approval. */
  const askForTransfer = async (): Promise<string> => {
    const { api } = visit;
    const { id: walletId } = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await api.post(`sandbox/wallets/${walletId}/fund`, { amount: 75_000_000 });
    const { approvalId } = await api.post("transfers", { walletId, amount: 2_500_000, destinationAddress });
    return String(approvalId);
  };

  test("once for two presses, and after a lost answer with the same key, so that it is done once", async () => {
    const { api, page } = visit;
    const posts = watchPosts(page, "/api/v1/wallets");
    const secondPress = Promise.withResolvers<void>();
    // The client retries a lost call once by itself.
    let lostCount = 0;
    await page.route("**/api/v1/wallets", async (route) => {
      if (route.request().method() === "POST" && lostCount < 2) {
        lostCount += 1;
        await secondPress.promise;
        await route.fetch({ headers: { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" } });
        await route.abort();
      } else {
        await route.continue();
      }
    });
    await go("/wallets?do=create");
    await page.getByLabel("Name", { exact: true }).fill("Operating");
    const button = dialog().locator("button[type=submit]");
    await button.click();
    await button.getByText("Working…").waitFor();
    await button.click({ force: true });
    await button.press("Enter");
    secondPress.resolve();
    await dialog().locator(".failure").getByText("CONNECTION_FAILED").waitFor();
    const pressed = posts.length;
    await button.click();
    await page.getByText("The wallet is created.").waitFor();
    const keys = await Promise.all(posts.map((request) => request.headerValue("idempotency-key")));
    expect(new Set(keys).size).toBe(1);
    expect([pressed, posts.length]).toEqual([2, 3]);
    expect(await api.get("wallets")).toMatchObject([{ name: "Operating" }]);
  });

  test("nothing later of what was pressed offline", async () => {
    const { api, page } = visit;
    await go("/wallets?do=create");
    await page.getByLabel("Name", { exact: true }).fill("Thought better of");
    await page.context().setOffline(true);
    await dialog().getByRole("button", { name: "Create wallet" }).click();
    await dialog().locator(".failure").getByText("CONNECTION_FAILED").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await page.context().setOffline(false);
    // Anything that waited for the network would be sent before this.
    await go("/wallets?do=create");
    await page.getByLabel("Name", { exact: true }).fill("Wanted");
    await dialog().getByRole("button", { name: "Create wallet" }).click();
    await page.getByText("The wallet is created.").waitFor();
    expect(await api.get("wallets")).toMatchObject([{ name: "Wanted" }]);
  });

  test("in production nothing that destroys before its name is typed; nothing of the sandbox is offered there", async () => {
    const { api, page } = visit;
    // The same page and account. Only the environment of the session is production.
    await page.route("**/session", async (route) => {
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
      const response = await route.fetch({ headers });
      await route.fulfill({ response, json: { ...((await response.json()) as object), environment: "production" } });
    });
    const { id } = await api.post("wallets", { name: "Operating", currency: "EUR" });
    const posts = watchPosts(page, `/api/v1/wallets/${id}/freeze`);
    await go(`/wallets?open=${id}`);
    await press("Freeze");
    const freeze = dialog().getByRole("button", { name: "Freeze" });
    await freeze.click({ force: true });
    const typed = dialog().getByLabel("Type “Operating” to go on");
    await typed.fill("Operatin");
    await typed.press("Enter");
    expect([await freeze.getAttribute("aria-disabled"), posts.length]).toEqual(["true", 0]);
    await typed.fill("Operating");
    await submit("Freeze");
    expect(await api.get(`wallets/${id}`)).toMatchObject({ status: "frozen" });
    expect(await page.getByRole("navigation", { name: "Screens" }).getByText("Sandbox").count()).toBe(0);
    expect(await page.getByText(/simulate|^fund$/i).count()).toBe(0);
    await page.goto(`${visit.world.system.consoleUrl}/sandbox`);
    await page.getByRole("heading", { name: "There is no such screen" }).waitFor();
  });

  test("an approval by an owner who proves to be there, never by one who asked or who does not see the address", async () => {
    const { world, person, api } = visit;
    const page = await world.openPage();
    await world.signIn(page, person);
    const own = createHands({ page, world });
    await api.post("sandbox/clock/advance", { seconds: 86_460 });
    const id = await askForTransfer();
    const path = `/inbox?queue=approvals&open=${id}`;
    await page.route(/\/transfers\/trf_/, (route) => route.fulfill(failed));
    await own.go(path);
    await page.locator(".pane .failure").getByText("INTERNAL_ERROR").first().waitFor();
    await own.press("Approve");
    const approve = own.dialog().getByRole("button", { name: "Approve" });
    expect(await approve.getAttribute("title")).toBe("It is not known yet where it goes.");
    await approve.click({ force: true });
    await page.unrouteAll();
    await own.go(path);
    await page.locator(".pane").getByText(destinationAddress).waitFor();
    await ageSignIn(world, page, person.user.id, 600);
    await own.press("Approve");
    const comment = own.dialog().getByLabel("Comment");
    await comment.fill("It is ours");
    await approve.click();
    await page.getByText("FRESH_SIGN_IN_REQUIRED").waitFor();
    expect(await api.get(`approvals/${id}`)).toMatchObject({ status: "requested", decisions: [] });
    await page.getByRole("link", { name: "Confirm that it is you" }).click();
    await page.locator('input[name="password"]').fill(person.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${world.system.consoleUrl}${path}&do=approve`);
    // The typed comment is restored.
    await waitFor(async () => (await comment.inputValue()) === "It is ours");
    await own.submit("Approve");
    await page.getByRole("figure", { name: "States: now approved" }).waitFor();
    expect(await api.get(`approvals/${id}`)).toMatchObject({ decisions: [{ comment: "It is ours" }] });
    // The page already refuses a person who requested the transfer.
    const wallets = await api.get<{ id: string }[]>("wallets");
    const asked = { walletId: wallets[0]?.id, amount: 1_000_000, destinationAddress };
    const { json } = await own.call("POST", "transfers", asked);
    await own.go(`/inbox?queue=approvals&open=${(json.data as { approvalId: string }).approvalId}`);
    const title = "You asked for it: another owner decides.";
    await page.locator(`button[data-operation="approveApproval"][title="${title}"]`).waitFor();
  });

  test("the filters of a list with the next page too, and shows what fits them alone", async () => {
    const { api, page } = visit;
    for (let at = 0; at < 55; at += 11) {
      await Promise.all(
        Array.from({ length: 11 }, (_, more) => api.post("wallets", { name: `W${at + more}`, currency: "EUR" })),
      );
      await api.post("wallets", { name: `Other ${at}`, currency: "USD" });
    }
    await go("/wallets");
    await page.locator(".filter").first().selectOption("EUR");
    await page.waitForURL((url) => url.searchParams.get("currency") === "EUR");
    // The previous list stays until the narrowed one has come, and the test does not want more of the previous list.
    await waitFor(async () => (await page.getByText(/^Other/).count()) === 0, { timeoutMs: 60_000 });
    const more = page.getByRole("button", { name: "Load more" });
    await more.click();
    await more.waitFor({ state: "detached" });
    await waitFor(async () => (await page.locator(".row-link").count()) === 55, { timeoutMs: 60_000 });
    expect(await page.getByText(/^Other/).count()).toBe(0);
  });

  test("an amount as it was typed, in minor units, and shows every digit of it", async () => {
    const { api, page } = visit;
    const { id } = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
    await go(`/wallets?open=${id}`);
    await press("Fund");
    await dialog().getByLabel("Amount in BTC").fill("8999.974980005");
    await dialog().getByRole("button", { name: "Fund" }).click();
    await page.getByText(/at most 8/).waitFor();
    await dialog().getByLabel("Amount in BTC").fill("8999.97498");
    await submit("Fund");
    await page.locator(".figures .number").first().getByText("8,999.97498000").waitFor();
    expect(await api.get(`wallets/${id}`)).toMatchObject({ balance: { available: 899_997_498_000 } });
  });

  test("nobody's text as markup, whatever names hold", async () => {
    const { api, page } = visit;
    const hostile = ['<img src=x onerror="window.hacked=1">', "javascript:window.hacked=1", "\u202egnp.exe {{7*7}}"];
    for (const name of hostile) {
      await api.post("wallets", { name, currency: "EUR", metadata: { note: `<script>window.hacked=1</script>` } });
    }
    await go("/wallets");
    for (const name of hostile) {
      await page.locator(".row-link", { hasText: name }).waitFor();
    }
    await page.locator(".row-link").last().click();
    await page.getByLabel("Metadata").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("main :is(img, script, iframe), [href^='javascript']").count()).toBe(0);
  });

  test("at Try it, what takes something away, only once it was asked and confirmed", async () => {
    const { world, api, page } = visit;
    const { id } = await api.post("webhooks", { url: world.receiverUrl, events: ["wallet.created"] });
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "DELETE" && sent.push(request.headers()["x-console"] ?? ""));
    await go(`/try/deleteWebhook?webhookId=${id}`);
    const send = page.getByRole("form", { name: "Request" }).getByRole("button", { name: /^Send/ }).last();
    await send.click();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    expect(sent).toEqual([]);
    await send.click();
    await dialog().getByRole("button", { name: "Send it" }).click();
    await page.getByRole("region", { name: "Answer" }).locator('.badge[data-status="200"]').waitFor();
    expect(sent).toEqual(["try"]);
    expect(await api.get<unknown[]>("webhooks")).toEqual([]);
  });

  test("again what failed when Retry is pressed; the failure says its code and the request, which is a link", async () => {
    const { api, page } = visit;
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    await failAt(/\/api\/v1\/wallets$/);
    await go("/wallets");
    const failure = page.locator(".failure").first();
    await failure.getByText("INTERNAL_ERROR").waitFor();
    expect(await failure.getByRole("link", { name: requestId }).getAttribute("href")).toBe(`/logs?open=${requestId}`);
    await expectAccessible(page, "a list that failed", ["light"]);
    await page.unrouteAll();
    await failure.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("link", { name: "Operating" }).waitFor();
  });

  test("a question for news without being asked: what comes to a list waits until n is pressed", async () => {
    const { api, page } = visit;
    const follows = page.waitForRequest((request) => request.url().includes("waitSeconds="));
    await go("/events");
    await page.getByText("Nothing happened yet").waitFor();
    await follows;
    await api.post("wallets", { name: "One", currency: "EUR" });
    const rows = page.locator(".row-link");
    await rows.first().waitFor();
    const first = await rows.first().getAttribute("data-id");
    await api.post("wallets", { name: "Two", currency: "EUR" });
    await page.getByRole("button", { name: "1 new n" }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.keyboard.press("n");
    await waitFor(async () => (await rows.count()) === 2, { timeoutMs: 60_000 });
    expect(await rows.last().getAttribute("data-id")).toBe(first);
  });

  test("the focus back to where it was: by keyboard to a screen, down its rows, into one, a dialog, and out", async () => {
    const { api, page } = visit;
    await api.post("wallets", { name: "One", currency: "EUR" });
    await api.post("wallets", { name: "Two", currency: "EUR" });
    await go("/settings");
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
    await waitFor(async () => (await page.evaluate("document.activeElement.textContent")) === "Create key");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard" }).waitFor();
  });
});
