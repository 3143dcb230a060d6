import { waitFor } from "@gateway/testkit";
import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";

const chromium = await startChromium();

type Logged = { id: string; status: number; code: string | null; operationId: string | null; repeats: number };
type Series = { group: Record<string, string | null> | null; count: number; errors: number; p95Ms: number };
type Usage = { series: Series[]; peakPerMinute: number };

/**
 * The screens of the requests of programs. Each job is done by mouse and by keyboard, and the API and the log agree
 * with the screen.
 */
describe.skipIf(chromium === null)("the request log and the usage in the console", () => {
  const visit = visitConsole(chromium);
  const { hands } = visit;
  const { go } = hands;

  const rows = () => visit.page.locator(".row-link");
  /** Calls the API as a program does, whatever the status. */
  const call = async (
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    fetch(`${visit.world.system.auth.apiUrl}/api/v1/${path}`, {
      method,
      headers: { "X-API-Key": visit.api.key, "Content-Type": "application/json", ...options.headers },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
  /** Sends the requests of programs: a wallet, two reads of a missing one, and one refused for two fields. */
  const ask = async (): Promise<void> => {
    await visit.api.post("wallets", { name: "Operating", currency: "EUR" });
    await call("GET", "wallets/wal_01kghsq31hfkftt8r0t9fm6d4b");
    await call("GET", "wallets/wal_01kghsq31hfkftt8r0t9fm6d4b");
    await call("POST", "wallets", { body: { name: "", currency: "euros" } });
  };
  /**
   * Waits until the log has `count` requests of programs. These polls are logged too, so they come from the console.
   */
  const logged = async (count: number): Promise<Logged[]> => {
    let found: Logged[] = [];
    await waitFor(
      async () => {
        found = (await hands.call("GET", "request-logs?source=api&limit=100")).json.data as Logged[];
        return found.length >= count;
      },
      // Each poll is one of the 300 reads a minute that the console has.
      { intervalMs: 500 },
    );
    return found;
  };
  /** The values of `data-…` on all elements that have it. `more` is appended to the expression. */
  const dataOf = (name: string, more = "") =>
    visit.page.evaluate<string[]>(
      `Array.from(document.querySelectorAll("[data-${name}]"), (one) => one.dataset.${name}${more})`,
    );
  const usage = async (query: string) => (await hands.call("GET", `usage?${query}`)).json.data as Usage;

  test("a refused request is found by its status, opened, understood, and its chip taken away", async () => {
    const { page } = visit;
    await ask();
    const all = await logged(4);
    await go("/logs");
    await waitFor(async () => (await rows().count()) === 4);
    await page.getByLabel("Status").fill("4xx");
    await page.keyboard.press("Enter");
    await waitFor(async () => (await rows().count()) === 3);
    expect(new URL(page.url()).searchParams.get("status")).toBe("4xx");
    await page.getByLabel("Operation", { exact: true }).fill("createWallet");
    await waitFor(async () => (await rows().count()) === 1);
    await rows().first().click();
    const refused = all.find(({ operationId, status }) => operationId === "createWallet" && status === 400);
    expect(new URL(page.url()).searchParams.get("open")).toBe(refused?.id);
    const why = page.getByRole("region", { name: "Why it was refused" });
    await why.getByText("INVALID_REQUEST").waitFor();
    await why.getByText("currency", { exact: true }).waitFor();
    const pane = page.getByRole("complementary", { name: "Details" });
    await pane.getByText("Bodies are not kept: this one is the example of the documentation.").waitFor();
    expect(await pane.locator("pre").first().textContent()).toContain("curl");
    await pane.getByRole("button", { name: "TypeScript" }).first().click();
    expect(await pane.locator("pre").first().textContent()).toContain('client.POST("/api/v1/wallets"');
    expect(await pane.getByRole("link", { name: "Documentation" }).getAttribute("href")).toBe(
      "https://docs.example.com/reference/gateway/tags/wallets.html#createwallet",
    );
    expect(await pane.textContent()).not.toContain("euros");
    await expectAccessible(page, "a refused request");
    await page.getByRole("button", { name: /^Operation .*remove$/ }).click();
    await waitFor(async () => (await rows().count()) === 3);
    await page.goBack();
    await waitFor(async () => (await rows().count()) === 1);
  });

  test("by keyboard alone: filter, walk the rows, open, copy the id, close", async () => {
    const { page } = visit;
    await ask();
    await logged(4);
    await page.keyboard.press("g");
    await page.keyboard.press("q");
    await page.waitForURL(/\/logs$/);
    await waitFor(async () => (await rows().count()) === 4);
    await page.keyboard.press("/");
    expect(await focused(page)).toBe("Time");
    await page.keyboard.press("Tab");
    await page.keyboard.type("404");
    await page.keyboard.press("Enter");
    await waitFor(async () => (await rows().count()) === 2);
    await page.locator("body").press("Tab");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Why it was refused" }).getByText("NOT_FOUND").waitFor();
    const id = new URL(page.url()).searchParams.get("open");
    await page.keyboard.press("c");
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(id);
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Details" }).waitFor({ state: "detached" });
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).fill(id ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Why it was refused" }).getByText("NOT_FOUND").waitFor();
    expect(page.url()).toContain(`/logs?open=${id}`);
  });

  test("the chart, the list and the API count the same, also narrowed; a bar narrows the time", async () => {
    const { page } = visit;
    await ask();
    await logged(4);
    await go("/logs?range=1h");
    await page.locator(".log-chart[data-count='4'][data-errors='3']").waitFor();
    await page.locator("[data-total]").first().waitFor({ state: "attached" });
    const drawn = await dataOf("total");
    expect(drawn.reduce((sum, one) => sum + Number(one), 0)).toBe(4);
    expect((await usage("interval=minute")).series.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    await go("/logs?range=1h&operationId=getWallet&code=NOT_FOUND");
    await page.locator(".log-chart[data-count='2'][data-errors='2']").waitFor();
    await waitFor(async () => (await rows().count()) === 2);
    await go("/logs?range=1h&method=POST");
    await page.getByText(/^No chart: requests are counted by/).waitFor();
    await waitFor(async () => (await rows().count()) === 2);

    await go("/logs?range=1h");
    const walk = page.getByRole("slider", { name: /4 requests, 3 errors in this time/ });
    await walk.focus();
    let words = "";
    await waitFor(async () => {
      words = (await walk.getAttribute("aria-valuetext")) ?? "";
      if (/ 0 requests/.test(words)) {
        await page.keyboard.press("ArrowLeft");
      }
      return /· [1-4] requests? ·/.test(words);
    });
    await page.keyboard.press("Enter");
    await waitFor(() => new URL(page.url()).searchParams.has("until"));
    await page.locator(`.log-chart[data-count='${/· (\d) request/.exec(words)?.[1]}']`).waitFor();
    await waitFor(async () => (await rows().count()) === Number(/· (\d) request/.exec(words)?.[1]));
  });

  test("errors are grouped by code and operation, with keys and field, and lead to their requests", async () => {
    const { page } = visit;
    await ask();
    await logged(4);
    await go("/logs?view=groups");
    const group = page.getByRole("row", { name: /INVALID_REQUEST/ });
    await group.getByText("createWallet").waitFor();
    await group.getByText("currency", { exact: true }).waitFor();
    await group.getByText("Test", { exact: true }).waitFor();
    expect(await dataOf("count")).toEqual(["2", "1"]);
    await expectAccessible(page, "errors by code and operation");
    await page.getByRole("link", { name: "NOT_FOUND" }).click();
    await waitFor(async () => (await rows().count()) === 2);
    expect(new URL(page.url()).searchParams.get("code")).toBe("NOT_FOUND");
  });

  test("a request leads to the events that it caused and to their deliveries, an error message to its request", async () => {
    const { world, api, page } = visit;
    await api.post("webhooks", { url: world.receiverUrl, events: ["wallet.created"] });
    const wallet = await call("POST", "wallets", { body: { name: "Paid", currency: "EUR" } });
    const id = wallet.headers.get("X-Request-Id");
    await waitFor(async () => (await logged(2)).some((one) => one.id === id), { intervalMs: 500 });
    await go(`/logs?open=${id}`);
    const caused = page.getByRole("region", { name: "Events that it caused" });
    await caused.getByText("wallet.created").waitFor();
    await caused.getByRole("link", { name: "delivery" }).click();
    await page.getByRole("list", { name: "Attempts" }).waitFor();

    await go("/wallets?open=wal_01kghsq31hfkftt8r0t9fm6d4b");
    const shown = page.getByRole("alert").getByRole("link", { name: /^req_/ });
    await shown.click();
    await page.getByRole("region", { name: "Why it was refused" }).getByText("NOT_FOUND").waitFor();
    await page.getByText("this console", { exact: true }).waitFor();
  });

  test("a request that went to fifty webhooks with each of its events shows every delivery", async () => {
    const { api, page, world } = visit;
    const events = ["payment.initiated", "payment.settled", "wallet.balance_changed"];
    for (let count = 0; count < 50; count += 1) {
      await api.post("webhooks", { url: world.receiverUrl, events });
    }
    const [from, to] = [
      await api.post("wallets", { name: "From", currency: "EUR" }),
      await api.post("wallets", { name: "To", currency: "EUR" }),
    ];
    await api.post(`sandbox/wallets/${from.id}/fund`, { amount: 10_000 });
    const paid = await call("POST", "payments", {
      body: { walletId: from.id, amount: 100, destination: { walletId: to.id } },
    });
    const requestId = paid.headers.get("x-request-id") ?? "none";
    await waitFor(async () => (await logged(1)).some(({ id }) => id === requestId));
    await go(`/logs?open=${requestId}`);
    const caused = page.getByRole("region", { name: "Events that it caused" });
    await caused.getByRole("link", { name: "delivery" }).nth(100).waitFor();
    const eventCount = await caused.getByRole("listitem").count();
    expect(eventCount).toBeGreaterThan(2);
    expect(await caused.getByRole("link", { name: "delivery" }).count()).toBe(50 * eventCount);
  });

  test("what people do here is hidden until it is asked for", async () => {
    const { api, page } = visit;
    await api.get("wallets");
    await logged(1);
    await go("/logs");
    await waitFor(async () => (await rows().count()) === 1);
    await page.getByLabel("console's").check();
    await waitFor(async () => (await rows().count()) > 1);
    expect(new URL(page.url()).searchParams.get("console")).toBe("1");
    await page.getByText("Requests of the console are not counted.").waitFor();
  });

  test("a hostile User-Agent is text, and what the log cut out of it stays out", async () => {
    const { page } = visit;
    const hostile = "<img/src=x/onerror=alert(1)> evil/1.0 javascript:alert(1) <script>alert(1)</script>";
    const answer = await call("GET", "wallets", { headers: { "User-Agent": hostile } });
    const id = answer.headers.get("X-Request-Id") ?? "";
    await logged(1);
    await go(`/logs?open=${id}`);
    const pane = page.getByRole("complementary", { name: "Details" });
    await pane.getByText("evil/1.0").waitFor();
    expect(await pane.locator("img, script").count()).toBe(0);
    // The log stores only a program's name. If it ever stored more, the page would still show it as text.
    await page.route(`**/api/v1/request-logs/${id}`, async (route) => {
      const response = await route.fetch({ headers: await headersOf(route) });
      const kept = (await response.json()) as { data: { userAgent: string } };
      kept.data.userAgent = `${hostile}\u202Egpj.exe`;
      await route.fulfill({ response, json: kept });
    });
    await go(`/logs?open=${id}`);
    await pane.getByText(hostile, { exact: false }).waitFor();
    expect(await pane.locator("img, script").count()).toBe(0);
    expect(await pane.locator("bdi", { hasText: "evil/1.0" }).count()).toBe(1);
  });

  test("gaps and pages that are not whole are told in words", async () => {
    const { page } = visit;
    await ask();
    await logged(4);
    const gap = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() - 30_000).toISOString() };
    let asked = 0;
    await page.route(/\/api\/v1\/request-logs\?(?!.*waitSeconds=)/, async (route) => {
      const response = await route.fetch({ headers: await headersOf(route) });
      const body = (await response.json()) as { data: unknown[]; meta: Record<string, unknown> };
      asked += 1;
      const isFirst = !route.request().url().includes("cursor=");
      const meta = {
        ...body.meta,
        gaps: [{ ...gap, count: 7 }],
        ...(isFirst && { hasMore: true, nextCursor: "next" }),
      };
      await route.fulfill({ response, json: { data: isFirst ? [] : body.data, meta } });
    });
    await page.route(/cursor=next/, async (route) => {
      await route.continue({
        url: route
          .request()
          .url()
          .replace(/[?&]cursor=next/, (found) => (found.startsWith("?") ? "?" : "")),
      });
    });
    await go("/logs?code=RATE_LIMITED");
    await page.getByText(/None so far: 20,000 requests were looked through/).waitFor();
    await page.getByText(/7 requests are missing: more came than could be kept/).waitFor();
    expect(await page.getByText("Nothing matches").count()).toBe(0);
    expect(asked).toBeGreaterThan(0);
    await expectAccessible(page, "a page that is not whole");
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("Nothing matches these filters.").waitFor();
  });

  test("the usage shows what the API counts, by operation, code, status and caller, as bars and as a table", async () => {
    const { page } = visit;
    await ask();
    await logged(4);
    await go("/usage?range=1h");
    await page.locator(".usage-chart[data-count='4']").waitFor();
    for (const by of ["code", "status", "caller", "operation"]) {
      await page.getByLabel("Colours").selectOption(by);
      await page.waitForURL(new RegExp(`by=${by}`));
      const { series } = await usage(`interval=minute&groupBy=${by}`);
      const shown = async () => dataOf("series", " + ' ' + one.dataset.count");
      const expected = series.map(({ group, count }) => `${by}:${group?.[by] ?? ""} ${count}`);
      await waitFor(async () => JSON.stringify((await shown()).toSorted()) === JSON.stringify(expected.toSorted()));
    }
    expect(await page.locator("[data-figure=count]").textContent()).toBe("4");
    expect(await page.locator("[data-figure=errors]").textContent()).toContain("3");
    expect(await page.getByRole("img", { name: /4 requests by operation, 3 of them errors/ }).count()).toBe(1);
    await page.getByText("As table").focus();
    await page.keyboard.press("Enter");
    const table = page.getByRole("region", { name: /as a table/ });
    const cells = await table.locator("tbody tr td:nth-child(2)").allTextContents();
    expect(cells.reduce((sum, text) => sum + Number(text), 0)).toBe(4);
    await expectAccessible(page, "usage");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "usage on a phone");
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });

  test("what the limit refused is hatched, and the limit is a line where a bar is a minute", async () => {
    const { world, person, api, page } = visit;
    const most = 10;
    const { platform } = world.system.auth;
    await platform.accounts.changeTier({ id: person.account.id, tier: "explorer", requestsPerMinute: most });
    await waitFor(async () => {
      const { rateLimit } = await api.get<{ rateLimit: { requestsPerMinute: number } }>("account");
      return rateLimit.requestsPerMinute === most;
    });
    // The polls of `logged` are in the log too.
    const before = (await logged(1)).length;
    const answers = await Promise.all(Array.from({ length: most + 10 }, () => call("GET", "account")));
    const refused = answers.filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    await waitFor(
      async () => (await logged(1)).reduce((sum, { repeats }) => sum + 1 + repeats, 0) === before + most + 10,
      {
        intervalMs: 500,
      },
    );
    await go("/usage?range=15m");
    await page.locator(`.usage-chart[data-count='${before + most + 10}']`).waitFor();
    await page.getByText("Hatched: refused by the limit (429).").waitFor();
    await page.getByText(`${most} a minute: the limit`).waitFor();
    expect(await page.locator(".chart-refused").count()).toBeGreaterThan(0);
    await page.getByText("As table").click();
    const hatched = await page.locator(".figures-table tbody tr td:last-child").allTextContents();
    expect(hatched.reduce((sum, text) => sum + Number(text), 0)).toBe(refused);
    await go("/logs?range=15m&code=RATE_LIMITED");
    await page.locator(`.log-chart[data-count='${refused}']`).waitFor();
    await expectAccessible(page, "refused by the limit");
  });

  test("the overview says how near to the limit, how much, how well, and nothing on it moves", async () => {
    const { world, api, page } = visit;
    await api.post("webhooks", { url: world.receiverUrl, description: "Payroll", events: ["wallet.created"] });
    await ask();
    await logged(5);
    await page.addInitScript(
      "window.shifts = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts.push(entry.value); }).observe({ type: 'layout-shift', buffered: true });",
    );
    await go("/");
    await page.locator("[data-figure=calls]", { hasText: "5" }).waitFor();
    expect(await page.locator("[data-figure=errors]").textContent()).toBe("60 % 3");
    // A window may end between the two requests.
    await waitFor(
      async () => {
        const { rateLimit } = await api.get<{ rateLimit: { requestsPerMinute: number; used: number } }>("account");
        await page.reload();
        const text = (await page.locator("[data-figure=used]").textContent()) ?? "";
        return text.startsWith(`${rateLimit.used}/${rateLimit.requestsPerMinute}`) && /resets in \d:\d\d/.test(text);
      },
      { timeoutMs: 60_000 },
    );
    const errors = page.getByRole("region", { name: "Errors" });
    await errors.getByText("NOT_FOUND").waitFor();
    await page.getByRole("region", { name: "Deliveries by webhook" }).getByText("Payroll").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate<number[]>("window.shifts")).toEqual([]);
    await expectAccessible(page, "overview");
    await errors.getByText("NOT_FOUND").click();
    await waitFor(async () => (await rows().count()) === 2);
  });

  test("nothing yet: each says how something comes", async () => {
    const { page } = visit;
    await go("/logs");
    await page.getByText("No requests in the last 24 hours").waitFor();
    await go("/logs?status=5xx");
    await page.getByText("Nothing matches these filters.").waitFor();
    await go("/logs?view=groups");
    await page.getByText("Nothing was refused").waitFor();
    await go("/usage");
    await page.getByText("No requests from programs in this time").waitFor();
    await go("/logs?open=req_01kk96r47yfjerprpgzd5v28dc");
    await page.getByText("This request is not in the log").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.getByRole("navigation", { name: "First screens" });
    expect(await bar.locator("a, button").allTextContents()).toEqual([
      " Overview",
      " Inbox",
      " Payments",
      " Wallets",
      " More",
    ]);
    await bar.getByRole("button", { name: "More" }).click();
    await page.getByRole("navigation", { name: "Screens", exact: true }).getByRole("link", { name: "Logs" }).click();
    await page.getByText("No requests in the last 24 hours").waitFor();
  });
});

/** The headers of the page, with the one that only a browser sets. */
async function headersOf(route: Route): Promise<Record<string, string>> {
  return { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
}

/** The label of the element that has the focus. */
async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? ''",
  );
}
