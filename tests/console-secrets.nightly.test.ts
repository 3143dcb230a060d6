import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { findRemains, isInHeap } from "./support/console-memory.ts";
import { visitConsole } from "./support/console-visit.ts";

const chromium = await startChromium();

/** Markup, addresses that run, text that turns around, what shells and templates expand, and more than a line holds. */
const hostile = [
  '<img src=x onerror="window.hacked=1">',
  "javascript:window.hacked=1",
  "'\"><script>window.hacked=1</script>",
  "`$(id)` ${7*7} {{7*7}} %0d%0a",
  "\u0645\u0631\u062d\u0628\u0627 שלום",
  "W".repeat(100),
];

describe.skipIf(chromium === null)("in the console", () => {
  const visit = visitConsole(chromium);
  const { hands } = visit;

  test("a secret whose dialog was left is nowhere: not in the page, in what the browser keeps, behind Back, or in memory", async () => {
    const { world, page } = visit;
    const leave = async (): Promise<string> => {
      const secret = (await page.getByLabel("Secret", { exact: true }).textContent()) ?? "";
      world.system.auth.watch.note(secret);
      expect(secret).toMatch(/^(?:gk_test_|whsec_)/);
      expect(await findRemains(page, secret)).toEqual(["document", "frames"]);
      await hands.press("I have stored it");
      await page.getByLabel("Secret", { exact: true }).waitFor({ state: "detached" });
      expect(await findRemains(page, secret)).toEqual([]);
      await page.goBack();
      await page.goForward();
      await page.waitForLoadState("networkidle");
      expect(await findRemains(page, secret)).toEqual([]);
      // Away to another origin and back: from the cache of whole pages, if the browser kept one.
      const here = page.url();
      await page.goto(`${world.system.auth.origin}/account`);
      await page.goBack();
      await page.waitForURL(here);
      await page.waitForLoadState("networkidle");
      expect(await findRemains(page, secret)).toEqual([]);
      return secret;
    };
    await hands.go("/keys?do=create");
    await hands.dialog().getByLabel("Name", { exact: true }).fill("Worker");
    await hands.dialog().getByRole("button", { name: "Create key" }).click();
    const made = await leave();
    await page.getByRole("link", { name: "Worker" }).click();
    await hands.press("Roll");
    await hands.dialog().getByRole("button", { name: "Roll key" }).click();
    const rolled = await leave();
    await hands.go("/webhooks?do=create");
    await hands.dialog().getByLabel("Address").fill(world.receiverUrl);
    await hands.dialog().getByLabel("wallet.created").check();
    await hands.dialog().getByRole("button", { name: "Add webhook" }).click();
    const signing = await leave();
    for (const secret of [made, rolled, signing]) {
      expect(await isInHeap(page, secret)).toBe(false);
    }
    // A key is shown by its first letters, so that the search above is known to find what is there.
    expect(await findRemains(page, "Worker")).toEqual([]);
  });

  test("what others wrote is text on every screen, and asks nobody for anything", async () => {
    const { world, person, api, page } = visit;
    const places: string[] = ["/"];
    for (const [index, name] of hostile.entries()) {
      const metadata = { note: name, [`k${index}`]: `<script>window.hacked=${index}</script>` };
      const wallet = await api.post("wallets", { name, currency: "EUR", metadata });
      const reserve = await api.post("wallets", { name, currency: "EUR" });
      await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 100_000 });
      const payment = await api.post("payments", {
        ...{ walletId: wallet.id, amount: 100, destination: { walletId: reserve.id }, metadata },
      });
      const application = await api.post("oauth-applications", {
        name,
        redirectUris: [`https://app.example.com/${index}`],
        scopes: ["openid", "read"],
      });
      const key = await api.post("api-keys", { name, permission: "read" });
      world.system.auth.watch.note(String(key["secret"]));
      const webhook = await api.post("webhooks", {
        ...{ url: world.receiverUrl, description: name, events: ["wallet.created"] },
      });
      world.system.auth.watch.note(String(webhook["secret"]));
      const kyc = await api.post("kyc-verifications", {
        reference: name.replaceAll(/[^\x20-\x7e]/g, "x").slice(0, 60),
        subject: {
          ...{ givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-31", country: "DE" },
          address: "1 Example Street, 10115 Berlin",
        },
        documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
      });
      places.push(
        `/wallets?open=${wallet.id}`,
        `/payments?open=${payment.id}`,
        `/applications?open=${application.id}`,
        `/keys?open=${key.id}`,
        `/webhooks?open=${webhook.id}`,
        `/inbox?queue=kyc&status=all&open=${kyc.id}`,
      );
    }
    await world.system.auth.database.kysely
      .updateTable("users")
      .set({ name: hostile[0] ?? "" })
      .where("id", "=", person.user.id)
      .execute();
    await hands.call("PATCH", "account", { name: hostile[1] });
    const [booked] = await api.get<{ id: string }[]>("ledger-transactions");
    const [event] = await api.get<{ id: string }[]>("events");
    const [self] = await api.get<{ id: string }[]>("people");
    places.push(
      ...["/inbox", "/transfers", "/transfers?do=create", "/orders", "/ledger", "/deliveries", "/settings", "/sandbox"],
      ...["/payments?do=create", "/applications?do=create", `/people?open=${self?.id}`, `/events?open=${event?.id}`],
      `/ledger?view=transactions&open=${booked?.id}`,
    );
    for (const path of places) {
      await hands.go(path);
      await page.waitForLoadState("networkidle");
      const found = await page.evaluate<{ hacked: unknown; foreign: number; running: string[] }>(`({
        hacked: window.hacked,
        foreign: document.querySelectorAll("img, iframe, object, embed, script:not([src])").length,
        running: [...document.querySelectorAll("[href], [src], [action]")]
          .flatMap((one) => [one.getAttribute("href"), one.getAttribute("src"), one.getAttribute("action")])
          .filter((target) => target !== null && /^\\s*(?:javascript|data|vbscript):/i.test(target)),
      })`);
      expect(found, path).toEqual({ hacked: undefined, foreign: 0, running: [] });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await page.evaluate<number>("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(width);
      }
    }
    await hands.go("/wallets");
    for (const name of hostile) {
      await page.locator(".row-link", { hasText: name }).first().waitFor();
    }
  }, 300_000);
});
