import { waitFor } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible } from "./support/console-page.ts";
import { consoleScreens, pictureFile, takePictures } from "./support/console-pictures.ts";
import { visitConsole } from "./support/console-visit.ts";
import { fillAccount } from "./support/fill-account.ts";

const chromium = await startChromium();

describe.skipIf(chromium === null)("pictures of the console", () => {
  const visit = visitConsole(chromium, { isShared: true });
  const { go } = visit.hands;

  test.each(consoleScreens)("%s, empty", async (path) => {
    const { page } = visit;
    await go(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await takePictures(page, await pictureFile("empty", path));
    await expectAccessible(page, path);
  });

  test.each(consoleScreens)(
    "%s at twice the size: the page does not scroll sideways, and nothing moves by itself",
    async (path) => {
      const { page } = visit;
      // The content width of a window of 1280 when everything in it is twice as large.
      await page.setViewportSize({ width: 640, height: 422 });
      await go(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: `${await pictureFile("zoomed", path)}.png` });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(640);
      // `openPage` requests reduced motion.
      expect(
        await page.evaluate(
          // An element that appears at once after a delay has no duration, so it does not move.
          "document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().duration > 0).length",
        ),
      ).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test("full: what is open, and what is done", async () => {
    const { world, api, page } = visit;
    const { euros, reserve, webhook } = await fillAccount(api, { name: "Payroll", webhookUrl: world.receiverUrl });
    const payment = await api.post("payments", {
      walletId: euros.id,
      amount: 125_000,
      destination: { walletId: reserve.id },
    });
    const [approval] = await api.get<{ id: string }[]>("approvals");
    await waitFor(async () =>
      (await api.get<{ attemptCount: number }[]>("deliveries")).some(({ attemptCount }) => attemptCount > 0),
    );
    const [delivery] = (await api.get<{ id: string; attemptCount: number }[]>("deliveries")).filter(
      ({ attemptCount }) => attemptCount > 0,
    );
    const [booked] = await api.get<{ id: string }[]>("ledger-transactions");
    const failed = await fetch(`${world.system.auth.apiUrl}/api/v1/payments`, {
      method: "POST",
      headers: { "X-API-Key": api.key, "Content-Type": "application/json", "Idempotency-Key": "picture" },
      body: JSON.stringify({ walletId: euros.id, amount: "12.50", destination: { walletId: reserve.id } }),
    });
    const shown: Readonly<Record<string, string>> = {
      logs: "/logs?range=1h",
      "logs-failed": "/logs?status=4xx&console=1",
      request: `/logs?open=${failed.headers.get("X-Request-Id")}`,
      "request-groups": "/logs?view=groups",
      usage: "/usage?range=15m",
      overview: "/",
      wallets: "/wallets",
      wallet: `/wallets?open=${euros.id}`,
      payment: `/payments?open=${payment.id}`,
      approval: `/inbox?queue=approvals&open=${approval?.id}`,
      webhook: `/webhooks?open=${webhook.id}`,
      delivery: `/deliveries?open=${delivery?.id}`,
      booked: `/ledger?view=transactions&open=${booked?.id}`,
      "create-key": "/keys?do=create",
      "create-webhook": "/webhooks?do=create",
    };
    for (const [name, path] of Object.entries(shown)) {
      await go(path);
      await page.waitForLoadState("networkidle");
      await takePictures(page, await pictureFile(name));
      await expectAccessible(page, name);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await takePictures(page, await pictureFile("palette"));
  });

  test.each(consoleScreens)("%s, full", async (path) => {
    const { page } = visit;
    await go(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await takePictures(page, await pictureFile("full", path));
    await expectAccessible(page, path);
  });
});
