import { findFreePort, waitFor } from "@gateway/testkit";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestAuthority } from "../apps/dispatcher/test/support/certificates.ts";
import { startReceiver, type TestReceiver } from "../apps/dispatcher/test/support/receiver.ts";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible, type AccountApi, type ConsolePage } from "./support/console-page.ts";
import { visitConsole } from "./support/console-visit.ts";

const chromium = await startChromium();

type Delivery = {
  id: string;
  status: string;
  eventType: string;
  attemptCount: number;
  requestId: string | null;
  attempts: { outcome: string; responseStart: string | null }[];
};

/** A hostile response of a receiver, which a person reads here. */
const hostileAnswer = `<img src=x onerror="window.hacked=1"><a href="javascript:window.hacked=1">\u202egnp.exe</a>`;

/**
 * Webhooks, deliveries, events and keys: what is broken, why, and how to fix it. The receivers fail as real ones do.
 */
describe.skipIf(chromium === null)("webhooks and keys in the console", () => {
  const visit = visitConsole(chromium);
  const { go, press, dialog, readSecret, words } = visit.hands;
  let world: ConsolePage;
  let api: AccountApi;
  let page: Page;
  let receiver: TestReceiver;

  beforeEach(async () => {
    ({ world, api, page } = visit);
    receiver = await startReceiver(world.certificate);
  });
  afterEach(() => receiver.close());

  const pane = () => page.getByRole("complementary", { name: "Details" });
  const wallet = (name: string) => api.post("wallets", { name, currency: "EUR" });
  const webhook = (more: object = {}) =>
    api.post("webhooks", { url: receiver.url, description: "Payroll", events: ["wallet.created"], ...more });
  const deliveries = (query: string) => api.get<Delivery[]>(`deliveries?${query}`);
  const attempted = (webhookId: string, count = 1) =>
    waitFor(
      async () =>
        (await deliveries(`webhookId=${webhookId}`)).filter(({ attemptCount }) => attemptCount > 0).length >= count,
      { timeoutMs: 60_000 },
    );
  const focused = (property: string, value: string) =>
    waitFor(async () => (await page.evaluate(`document.activeElement.${property}`)) === value, { timeoutMs: 60_000 });
  const database = async (statement: string, values: unknown[]) => {
    const client = new pg.Client({ connectionString: world.system.auth.databaseUrl });
    await client.connect();
    await client.query(statement, values).finally(() => client.end());
  };

  test("without a webhook the receiver of this machine is named; one is made with an example, and tried out live", async () => {
    await go("/webhooks");
    await page.getByText(world.receiverUrl).waitFor();
    await expectAccessible(page, "no webhooks");
    receiver.answerWith((res) => res.writeHead(500).end(hostileAnswer));
    await press("Add webhook");
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByLabel("Description").fill("Payroll");
    await page.getByLabel("payment.settled").check();
    await dialog().getByLabel("Example of payment.settled").waitFor();
    await dialog().getByRole("button", { name: "Add webhook" }).click();
    await readSecret();
    await dialog().getByRole("button", { name: "Send" }).click();
    await words(/500 after \d+ ms/).waitFor();
    expect(await dialog().getByLabel("What was answered").textContent()).toBe(hostileAnswer);
    await expectAccessible(page, "a test event");
    await dialog().getByRole("link", { name: "See the delivery" }).click();
    await pane().getByRole("list", { name: "Attempts" }).waitFor();
    expect(await pane().getByLabel("What attempt 1 was answered").textContent()).toBe(hostileAnswer);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("img, .pane a[href^='javascript']").count()).toBe(0);
    const [made] = await api.get<{ url: string; events: string[] }[]>("webhooks");
    expect(made).toMatchObject({ url: receiver.url, events: ["payment.settled"] });
  });

  test("its health is in the list and beside it; disabled it holds, and enabling says how many it sends", async () => {
    const { id } = await webhook();
    await wallet("First");
    await attempted(id);
    receiver.answerWith((res) => res.writeHead(503).end("later"));
    await wallet("Second");
    await attempted(id, 2);
    // The dispatcher writes the counts together with its lease.
    await waitFor(async () => (await api.get<{ attempts: number }>(`webhooks/${id}/health`)).attempts === 2, {
      timeoutMs: 60_000,
    });
    await go("/webhooks");
    await page.getByText("50 %").waitFor();
    await page.getByText("1 failed in a row").waitFor();
    await page.getByRole("link", { name: "Payroll" }).click();
    const health = page.getByRole("region", { name: "Health" });
    await health.getByRole("img", { name: /Attempts by the hour, at most 2; 1 failed/ }).waitFor();
    await health.getByText("2: 1 delivered (50 %), 1 failed").waitFor();
    await health.getByText("As a table").click();
    expect(await health.getByRole("row").count()).toBe(25);
    await health.getByRole("link", { name: "503" }).waitFor();
    await expectAccessible(page, "a webhook with its health");

    await press("Disable");
    await dialog().getByText("1 event was delivered to it in the last 24 hours.").waitFor();
    await dialog().getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable", exact: true }).waitFor();
    await wallet("Third");
    await wallet("Fourth");
    const { held } = await api.get<{ held: number }>(`webhooks/${id}/health`);
    // The delivery that waits for a retry is held too.
    expect(held).toBe(3);
    await press("Enable");
    await dialog().getByText("It sends 3 held events, oldest first: the first is of").waitFor();
    receiver.answerWith((res) => res.writeHead(200).end());
    await dialog().getByRole("button", { name: "Enable" }).click();
    await waitFor(async () => (await deliveries(`webhookId=${id}&status=delivered`)).length === 4, {
      // The second waits a minute for its next attempt.
      timeoutMs: 90_000,
    });
  });

  test("the overview says how many events a failed webhook holds", async () => {
    const { id } = await webhook();
    await database("update webhooks set status = 'failed', status_changed_at = now() where id = $1", [id]);
    await wallet("First");
    await wallet("Second");
    await go("/");
    const needs = page.getByRole("region", { name: "Needs you" });
    await needs.getByText(/^Webhook Payroll failed .*, 2 held$/).waitFor();
    await expectAccessible(page, "the overview with a failed webhook");
  });

  test("each way of failing is told in words, with what is planned and the request that caused it", async () => {
    const foreign = await (await createTestAuthority()).issue();
    const untrusted = await startReceiver(foreign);
    const nobody = await findFreePort();
    receiver.answerWith((res, { path }) => void (path === "/slow" || res.writeHead(404).end("no such path")));
    const urls = {
      http_error: receiver.url,
      timeout: receiver.url.replace("/hooks", "/slow"),
      connection_failed: `https://localhost:${nobody}/`,
      tls_failed: untrusted.url,
    };
    for (const [outcome, url] of Object.entries(urls)) {
      await webhook({ url, description: outcome });
    }
    const { id: walletId } = await wallet("Causes four");
    await waitFor(
      async () => (await deliveries("limit=100")).filter(({ attemptCount }) => attemptCount > 0).length === 4,
      { timeoutMs: 60_000 },
    );
    const words = {
      http_error: "404",
      timeout: "There was no complete answer within 5 seconds.",
      connection_failed: "the connection was refused or lost",
      tls_failed: "No secure connection was established",
    };
    for (const [outcome, text] of Object.entries(words)) {
      await go(`/deliveries?outcome=${outcome}`);
      await page.locator(".row-link").waitFor();
      expect(await page.locator(".row-link").count(), outcome).toBe(1);
      await page.locator(".row-link").click();
      const attempts = pane().getByRole("list", { name: "Attempts" });
      await attempts.getByText(text).waitFor();
      expect(await attempts.getByRole("listitem").count()).toBe(6);
      // The consequence of a failure is shown in words next to its attempt.
      const items = attempts.getByRole("listitem");
      await items.nth(2).getByText("if it fails: mail sent ▲").waitFor();
      await items.nth(5).getByText("if it fails: webhook fails ▲").waitFor();
      expect(await attempts.getByText("▲").count()).toBe(2);
      await attempts.getByText(/^next/).waitFor();
    }
    await untrusted.close();
    const [one] = await deliveries("outcome=timeout");
    const { requestId } = await api.get<Delivery>(`deliveries/${one?.id}`);
    const cause = pane().getByRole("link", { name: String(requestId) });
    expect(await cause.getAttribute("href")).toBe(`/logs?open=${requestId}`);
    await pane().getByText("POST /wallets 201, key").waitFor();
    await pane().getByRole("link", { name: "Test", exact: true }).waitFor();
    await pane().getByText("X-Service-Signature", { exact: true }).waitFor();
    await pane().getByText("Send it yourself").click();
    expect(await pane().getByLabel("The delivery, as curl").textContent()).toContain(
      'openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"',
    );
    await expectAccessible(page, "a delivery that failed");

    await go(`/events?objectId=${walletId}`);
    await page.locator(".row-link").click();
    await pane().getByRole("region", { name: "Deliveries of the event" }).getByRole("listitem").nth(3).waitFor();
    await pane().getByRole("region", { name: "History of this object" }).getByText("wallet.created").waitFor();
    await expectAccessible(page, "an event");
    await go(`/events?requestId=${requestId}&type=wallet.created&range=24h`);
    await page.locator(".row-link").waitFor();
    expect(await page.locator(".row-link").count()).toBe(1);
  });

  test("filters are the address: shared, it shows the same; what matches is counted first and sent with one press", async () => {
    const { id } = await webhook();
    await wallet("One");
    await wallet("Two");
    await waitFor(async () => (await deliveries(`webhookId=${id}&status=delivered`)).length === 2, {
      timeoutMs: 60_000,
    });
    receiver.answerWith((res) => res.writeHead(500).end());
    await wallet("Three");
    await attempted(id, 3);

    await go("/deliveries");
    await page.getByRole("button", { name: "delivered", exact: true }).click();
    await page.getByRole("button", { name: "failed", exact: true }).click();
    await page.getByLabel("Recorded").selectOption("24h");
    await page.getByLabel("Type", { exact: true }).selectOption("wallet.created");
    await page.getByLabel("Webhook", { exact: true }).selectOption(id);
    await page.waitForURL((url) => url.searchParams.get("webhookId") === id);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ status: "delivered,failed", range: "24h", eventType: "wallet.created", webhookId: id },
    });
    await page.locator(".row-link").nth(1).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator(".row-link").nth(1).waitFor();
    expect(await other.locator(".row-link").count()).toBe(2);
    expect(await other.getByRole("button", { name: "delivered", exact: true }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    await other.close();

    receiver.answerWith((res) => res.writeHead(200).end());
    const before = receiver.received.length;
    await page.getByRole("button", { name: "Resend matching" }).click();
    await dialog().getByText("2 events match.").waitFor();
    expect(receiver.received.length).toBe(before);
    await expectAccessible(page, "resend matching");
    await dialog().getByText("As code").click();
    const code =
      (await dialog()
        .getByLabel(/as code$/)
        .textContent()) ?? "";
    expect(code).toContain(`/webhooks/${id}/replay`);
    expect(code).not.toContain("dryRun");
    await dialog().getByRole("button", { name: "Send 2 events" }).click();
    await page.getByText("2 events are being sent again.").waitFor();
    await waitFor(() => receiver.received.length === before + 2, { timeoutMs: 60_000 });

    await page.getByLabel("Last outcome").selectOption("timeout");
    const button = page.getByRole("button", { name: "Resend matching" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    expect(await button.getAttribute("title")).toMatch(/clear that filter/);
  });

  test("moments from and to are of the zone that the person chose, and stand in the address in UTC", async () => {
    await go("/deliveries");
    const time = page.getByLabel("Recorded", { exact: true });
    await time.selectOption("1h");
    await page.waitForURL((url) => url.search === "?range=1h");
    await time.selectOption("between");
    // The range is gone at once, and its beginning replaces it.
    await page.waitForURL((url) => /^\?since=[^&]+$/.test(url.search));
    const sinceMs = Date.parse(new URL(page.url()).searchParams.get("since") ?? "");
    expect(Date.now() - sinceMs).toBeGreaterThanOrEqual(3_600_000);
    expect(Date.now() - sinceMs).toBeLessThan(3_780_000);
    const from = page.getByLabel(/^Recorded from/);
    // The field shows the time too, before the test overwrites it.
    await expect.poll(() => from.inputValue()).not.toBe("");
    await from.fill("2026-03-09T11:00");
    const since = await page.evaluate<string>("new Date('2026-03-09T11:00').toISOString()");
    await page.waitForURL((url) => url.searchParams.get("since") === since);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.waitForURL((url) => url.search === "");
  });

  test("a webhook is edited, and its secret rolled with the rest of the overlap counted down", async () => {
    const { id } = await webhook();
    await go(`/webhooks?open=${id}`);
    await press("Edit");
    await page.getByLabel("Description").fill("Payroll 2");
    await page.getByLabel("payment.failed").check();
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByText("The webhook is changed.").waitFor();
    expect(await api.get(`webhooks/${id}`)).toMatchObject({
      ...{ url: receiver.url, description: "Payroll 2", events: ["payment.failed", "wallet.created"] },
    });
    await press("Roll secret");
    await dialog().getByRole("button", { name: "Roll secret" }).click();
    await readSecret();
    await page.getByRole("timer").waitFor();
    expect(await page.getByRole("timer").textContent()).toMatch(/^(?:1 d 00:00:00|23:5\d:\d\d) left$/);
  });

  test("a signature is checked without asking anybody", async () => {
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

  test("a key says when it is due, from where it was used and how often; rolled, who still uses the old one", async () => {
    const made = await api.post("api-keys", { name: "CI", permission: "read" });
    const secret = world.system.auth.watch.note(String(made["secret"]));
    const call = () =>
      fetch(`${world.system.auth.apiUrl}/api/v1/wallets`, {
        headers: { "X-API-Key": secret, "User-Agent": "nightly/2.1 <b>" },
      });
    for (let index = 0; index < 3; index += 1) {
      await call();
    }
    await database("update api_keys set created_at = now() - interval '112 days' where id = $1", [made.id]);
    await waitFor(async () => (await api.get<{ lastUsedFrom: unknown }>(`api-keys/${made.id}`)).lastUsedFrom !== null, {
      timeoutMs: 60_000,
    });
    await go("/keys");
    const row = page.getByRole("row", { name: /CI/ });
    await row.getByText("112 d").waitFor();
    await row.getByRole("meter", { name: "112 of 90 days" }).waitFor();
    await row.getByText("roll", { exact: true }).waitFor();
    await row.getByRole("cell", { name: "3", exact: true }).waitFor();
    await page.getByRole("link", { name: "CI", exact: true }).click();
    await pane().getByText("nightly/2.1 …").waitFor();
    await pane().getByText("127.0.0.1", { exact: true }).waitFor();
    await press("Roll");
    await dialog().getByText("3 calls with this key in 24 h.").waitFor();
    await dialog().getByRole("button", { name: "Roll key" }).click();
    await readSecret();
    await pane()
      .getByText(/Old key used (?:\d+ \w+ ago|now)/)
      .waitFor();
    await pane().getByRole("timer").waitFor();
    await press("Revoke");
    await dialog().getByText("3 calls with this key in 24 h.").waitFor();
    await expectAccessible(page, "revoke a key");
    await dialog().getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("CI is revoked.").waitFor();
    expect((await call()).status).toBe(401);
    expect((await call()).status).toBe(401);
    await waitFor(
      async () => (await api.get<unknown[]>(`request-logs?apiKeyId=${made.id}&code=UNAUTHENTICATED`)).length === 2,
      { timeoutMs: 60_000 },
    );
    await go("/keys");
    await page.getByRole("region", { name: "Who still uses it?" }).getByText("2 refused calls in 24 h").click();
    const refused = pane().getByRole("region", { name: "Refused calls" });
    await refused.getByText("nightly/2.1").waitFor();
    expect(await refused.getByRole("listitem").count()).toBe(2);
    expect(await refused.getByRole("link", { name: "All", exact: true }).getAttribute("href")).toBe(
      `/logs?apiKeyId=${made.id}`,
    );
    await expectAccessible(page, "a key that somebody still uses");
  });

  test.each(["sandbox", "production"])(
    "what breaks something asks for the name in production alone: %s",
    async (environment) => {
      // The same page and account. Only the environment of the session differs.
      await page.addInitScript(`{
        const ask = window.fetch;
        window.fetch = async (...call) => {
          const answer = await ask(...call);
          return call[0] === "/session" && answer.ok
            ? Response.json({ ...(await answer.json()), environment: ${JSON.stringify(environment)} })
            : answer;
        };
      }`);
      const { id } = await webhook();
      const key = await api.post("api-keys", { name: "CI", permission: "read" });
      world.system.auth.watch.note(String(key["secret"]));
      const asks = environment === "production";
      const destroy = async (path: string, options: { open: string; submit: string; name: string; gone: string }) => {
        await go(path);
        await press(options.open);
        const submit = dialog().getByRole("button", { name: options.submit });
        const field = dialog().getByLabel(/^Type “/);
        await submit.waitFor();
        expect(await field.count()).toBe(asks ? 1 : 0);
        if (asks) {
          await submit.click({ force: true });
          await field.fill(options.name.slice(0, -1));
          await field.press("Enter");
          expect(await dialog().isVisible()).toBe(true);
          expect(await submit.getAttribute("aria-disabled")).toBe("true");
          await field.fill(options.name);
        }
        await submit.click();
        await page.getByText(options.gone).waitFor();
      };
      await destroy(`/webhooks?open=${id}`, {
        ...{ open: "Delete", submit: "Delete webhook", name: "Payroll", gone: "The webhook is deleted." },
      });
      expect(await api.get("webhooks")).toEqual([]);
      await destroy(`/keys?open=${key.id}`, {
        ...{ open: "Revoke", submit: "Revoke key", name: "CI", gone: "CI is revoked." },
      });
      expect(await api.get(`api-keys/${key.id}`)).toMatchObject({ status: "revoked" });
    },
  );

  test("by keyboard alone: filters are set, what matches is sent, a row is opened, and the focus comes back", async () => {
    const { id } = await webhook();
    await wallet("One");
    await attempted(id);
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
    await page.locator(".row-link").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.waitForURL((url) => url.searchParams.get("status") === "delivered");
    await page.getByRole("button", { name: "Resend matching" }).focus();
    await page.keyboard.press("Enter");
    await dialog().getByRole("button", { name: "Send 1 event" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await focused("textContent", "Resend matching");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await pane().getByRole("button", { name: "Resend" }).focus();
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await focused("textContent", "Resend");
    await page.keyboard.press("Escape");
    await pane().waitFor({ state: "detached" });
    await focused("dataset.id", String((await deliveries(""))[0]?.id));
  });
});

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
