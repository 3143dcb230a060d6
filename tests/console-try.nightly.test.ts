import { operations } from "@gateway/contract";
import { waitFor } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { operationForms } from "../apps/console/src/build/operation-forms.ts";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";

const chromium = await startChromium();
const forms = operationForms();

type Sent = { method: string; path: string; headers: Record<string, string> };

/** Any operation of the document, in a form of its schema, against the real API. */
describe.skipIf(chromium === null)("Try it", () => {
  let sent: Sent[];
  const visit = visitConsole(chromium, {
    watch: (page) => {
      sent = [];
      page.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        if (request.headers()["x-console"] === "try") {
          sent.push({ method: request.method(), path: pathname + search, headers: request.headers() });
        }
      });
    },
  });
  const { go } = visit.hands;

  const form = () => visit.page.getByRole("form", { name: "Request" });
  const field = (name: string) => form().getByLabel(new RegExp(`^${name.replaceAll(/[[\]]/g, "\\$&")}(?:required)?$`));
  const group = (name: string) => form().getByRole("group", { name: new RegExp(`^${name}`) });
  const send = async (): Promise<void> => form().getByRole("button", { name: /^Send/ }).last().click();
  const status = async (): Promise<string | null> => {
    const badge = visit.page.getByRole("region", { name: "Answer" }).locator(".badge");
    await badge.waitFor();
    return badge.getAttribute("data-status");
  };
  const answered = async (): Promise<{ data: { id: string } & Record<string, unknown> }> =>
    JSON.parse(
      (await visit.page.getByRole("region", { name: "Answer" }).getByLabel("Body").textContent()) ?? "",
    ) as never;

  test("opens for every operation, filled in with the document's example, and sends nothing by itself", async () => {
    const { page } = visit;
    const opened: string[] = [];
    for (const { operationId, method } of Object.values(operations)) {
      await go(`/try/${operationId}`);
      await form().waitFor();
      const button = form().getByRole("button", { name: `Send ${method.toUpperCase()}` });
      expect(await button.getAttribute("aria-disabled"), operationId).toBe("false");
      expect(await page.locator(".hint.fault:not(:empty)").count(), operationId).toBe(0);
      const code = (await page.getByRole("region", { name: "Code" }).locator("pre").textContent()) ?? "";
      const [example] = forms.get(operationId)?.body?.examples ?? [];
      const [, body] = /--data-raw '([\s\S]*)'$/.exec(code) ?? [];
      expect(body === undefined ? undefined : JSON.parse(body.replaceAll(`'\\''`, "'")), operationId).toEqual(
        example?.value,
      );
      opened.push(operationId);
    }
    expect(opened).toHaveLength(Object.keys(operations).length);
    expect(sent).toEqual([]);
  }, 400_000);

  test("one press sends one request, which counts against the tier and is in the log and the usage", async () => {
    const { person, api, page } = visit;
    await go("/try/getAccount");
    await send();
    expect(await status()).toBe("200");
    expect((await answered()).data.id).toBe(person.account.id);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/v1/account"]);
    const answer = page.getByRole("region", { name: "Answer" });
    expect(await answer.getByText("x-ratelimit-limit").isVisible()).toBe(true);
    const link = answer.getByRole("link", { name: "Open it in the request log" });
    const [, requestId = ""] = /^\/logs\?open=(req_\w+)$/.exec((await link.getAttribute("href")) ?? "") ?? [];
    await waitFor(async () => {
      const listed = await api.get<{ id: string; source: string }[]>("request-logs?operationId=getAccount");
      return listed.some(({ id, source }) => id === requestId && source === "api");
    });
    const { series } = await api.get<{ series: { count: number }[] }>("usage?interval=hour&groupBy=operation");
    expect(JSON.stringify(series)).toContain("getAccount");
    await expectAccessible(page, "an answer");
  });

  test("a wallet is made, renamed and found again; the same key does it once", async () => {
    const { api, page } = visit;
    await go("/try/createWallet");
    await field("name").fill("Tried out");
    const key = await field("Idempotency-Key").inputValue();
    expect(key).toMatch(/^[\da-f-]{36}$/);
    await send();
    expect(await status()).toBe("201");
    const { id } = (await answered()).data;
    expect(sent[0]?.headers["idempotency-key"]).toBe(key);
    expect(await api.get(`wallets/${id}`)).toMatchObject({ name: "Tried out" });
    await form().getByRole("button", { name: "Use the last one again" }).click();
    await send();
    await page.getByText("idempotency-replayed").waitFor();
    expect(await api.get<unknown[]>("wallets")).toHaveLength(1);
    await field("Idempotency-Key").fill("another-piece-of-work");
    await send();
    await page.getByText("idempotency-replayed").waitFor({ state: "detached" });
    expect(await api.get<unknown[]>("wallets")).toHaveLength(2);

    await go(`/try/updateWallet?walletId=${id}`);
    expect(await field("walletId").inputValue()).toBe(id);
    await field("name").fill(`<img src=x onerror="window.hacked=1">`);
    await send();
    expect(await status()).toBe("200");
    expect(await api.get(`wallets/${id}`)).toMatchObject({ name: `<img src=x onerror="window.hacked=1">` });
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);

    await go("/try/listWallets");
    await field("currency").selectOption("EUR");
    await field("limit").fill("1");
    await send();
    expect(await status()).toBe("200");
    expect(sent.at(-1)?.path).toBe("/api/v1/wallets?currency=EUR&limit=1");
  });

  test("what the API refuses stands at its field; what is no number is sent as it was typed", async () => {
    const { page } = visit;
    await go("/try/createPayment");
    await field("amount").fill("1.5x");
    await group("destination").getByLabel("walletId").fill("wal_no");
    await send();
    expect(await status()).toBe("400");
    expect(await field("amount").getAttribute("aria-invalid")).toBe("true");
    expect(await form().locator(".hint.fault").allTextContents()).toContain(
      "must be a whole number in the currency's minor unit, e.g. 1250",
    );
    await go("/try/getWallet");
    await field("walletId").fill("");
    await send();
    await page.getByText("it is part of the address").waitFor();
    expect(sent).toHaveLength(1);
    await field("walletId").fill("wal_01kjpx7nkpf1qb30s1qgt1r7tq");
    await send();
    expect(await status()).toBe("404");
  });

  test("a body is written as JSON too, under the policy of the page, and both ways are in step", async () => {
    const { page } = visit;
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    await go("/try/createLedgerTransaction");
    await form().waitFor();
    expect(scripts.filter((url) => url.includes("json-editor"))).toEqual([]);
    await form().getByRole("button", { name: "JSON", exact: true }).click();
    const editor = page.getByRole("textbox", { name: "Body as JSON" });
    await editor.waitFor();
    expect(await page.locator(".json-editor .json-name").count()).toBeGreaterThan(3);
    await expectAccessible(page, "the JSON of a body");
    await editor.fill('{ "entries": [{ "text": "{[" ');
    await editor.press("End");
    await editor.pressSequentially("\n,");
    expect(await editor.innerText()).toMatch(/\n {6},$/);
    await editor.pressSequentially("\n");
    await editor.pressSequentially("}");
    expect(await editor.innerText()).toMatch(/\n {6}\}$/);
    await editor.fill("{");
    await page.getByText(/This is not JSON yet/).waitFor();
    await send();
    expect(sent).toEqual([]);
    await editor.fill(JSON.stringify({ description: "By hand", entries: "none", metadata: { "a\u2028b": "`$(id)`" } }));
    await form().getByRole("button", { name: "Form", exact: true }).click();
    expect(await field("entries").inputValue()).toBe('"none"');
    await group("metadata").getByLabel("Name in metadata").waitFor();
    await field("entries").fill("[]");
    await form().getByRole("button", { name: "Add to entries" }).click();
    await form().getByRole("button", { name: "Leave out metadata" }).click();
    await form().getByRole("button", { name: "JSON", exact: true }).click();
    const written = JSON.parse(await editor.innerText()) as { entries: unknown[]; metadata?: unknown };
    expect(written.entries).toHaveLength(1);
    expect(written.metadata).toBeUndefined();
    await send();
    expect(await status()).toMatch(/^4/);
    expect(sent).toHaveLength(1);
  });

  test("what was typed survives a reload, but what is write-only and the answer do not", async () => {
    const { world, person, page } = visit;
    await go("/try/createCounterparty");
    await field("name").fill("Kept GmbH");
    await field("accountNumber").fill("DE89370400440532013000");
    await page.reload();
    await form().waitFor();
    expect(await field("name").inputValue()).toBe("Kept GmbH");
    expect(await field("accountNumber").inputValue()).toBe("");
    const stored = await page.evaluate<string>("JSON.stringify({ ...sessionStorage, ...localStorage })");
    expect(stored).toContain("Kept GmbH");
    expect(stored).not.toContain("DE8937");
    await go("/try/createApiKey");
    await send();
    expect(await status()).toBe("201");
    const { secret } = (await answered()).data as unknown as { secret: string };
    world.system.auth.watch.note(secret);
    await page.reload();
    await form().waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage, ...localStorage })")).not.toContain(secret);
    await page
      .getByRole("button", { name: new RegExp(person.user.name ?? "") })
      .last()
      .click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage, ...localStorage })")).not.toContain("Kept");
  });

  test("beyond one's role it can be read and not sent, and names the role", async () => {
    const { world, person } = visit;
    await visit.enter(await world.system.auth.createPerson({ account: person.account, role: "viewer" }));
    await go("/try/createWallet");
    const button = form().getByRole("button", { name: "Send POST" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    expect(await button.getAttribute("title")).toBe("Needs the role member. You are viewer.");
    await button.click({ force: true });
    await field("name").press("Enter");
    expect(sent).toEqual([]);
    await go("/try/listWallets");
    await send();
    expect(await status()).toBe("200");
  });

  test("on a phone, light and dark; found by search and by the palette", async () => {
    const page = await visit.enter(visit.person, { viewport: { width: 390, height: 844 } });
    await go("/try");
    await page.getByLabel("Search operations").fill("simulate deposit");
    expect(await page.locator(".try-service a").count()).toBe(2);
    await expectAccessible(page, "the operations");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await page.keyboard.type("try createOrder");
    await page.keyboard.press("Enter");
    await form().waitFor();
    expect(new URL(page.url()).pathname).toBe("/try/createOrder");
    await expectAccessible(page, "the form of an operation");
    const tooWide = await page.evaluate<string[]>(`document.documentElement.scrollWidth <= innerWidth ? [] :
      Array.from(document.querySelectorAll("main *")).filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest("pre"))
        .map((one) => one.tagName + "." + one.className + " " + one.textContent.slice(0, 40))`);
    expect(tooWide).toEqual([]);
  });
});
