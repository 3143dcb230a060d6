import { startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { createHands, type ConsoleHands } from "./support/console-hands.ts";
import { expectAccessible, startConsolePage, type AccountApi, type ConsolePage } from "./support/console-page.ts";
import { consoleScreens, pictureFile, takePictures } from "./support/console-pictures.ts";

const chromium = await startChromium();

/** Real stops and starts of programs while a screen is open. */
describe.skipIf(chromium === null)("the console's page, while something is away", () => {
  let postgres: OwnPostgres;
  let world: ConsolePage;
  let api: AccountApi;
  let page: Page;
  let hands: ConsoleHands;

  beforeAll(async () => {
    if (chromium) {
      postgres = await startOwnPostgres();
      world = await startConsolePage(chromium, { databaseUrl: postgres.url, mayFail: true });
      const made = await world.createAccount();
      api = made.api;
      page = await world.openPage();
      hands = createHands({ page, world });
      await world.signIn(page, made.person);
      await api.post("wallets", { name: "Operating", currency: "EUR" });
    }
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
    await postgres?.end();
    await chromium?.close();
  });

  const cookie = async (): Promise<string | undefined> =>
    (await page.context().cookies(world.system.consoleUrl)).find(({ name }) => name === "console")?.value;

  const expectSurvived = async (begin: () => Promise<void>, end: () => Promise<void>): Promise<void> => {
    await hands.go("/wallets");
    await page.getByText("Operating").waitFor();
    const before = await cookie();
    await begin();
    // The page asks every 30 seconds by itself. Its data stays, and the page says how old it is.
    const stale = page.locator(".stale").first();
    await stale.waitFor({ timeout: 120_000 });
    expect(await stale.textContent()).toMatch(
      /(?:UNAVAILABLE|CONNECTION_FAILED|TIMEOUT|INTERNAL).*shown as of \d+ s ago/,
    );
    expect(await page.getByText("Operating").isVisible()).toBe(true);
    expect(await page.getByRole("heading", { name: "Sign in to the console" }).count()).toBe(0);
    // Data that was never loaded fails alone, with a request id to quote and a way to retry. The rest of the page
    // stays.
    await page.getByRole("link", { name: "Payments" }).click();
    const failure = page.locator(".failure").first();
    await failure.waitFor({ timeout: 120_000 });
    expect(await failure.textContent()).toMatch(/[A-Z]+_?[A-Z]*.*Request req_[0-9a-z]{26}/);
    expect(await page.getByRole("navigation", { name: "Screens" }).isVisible()).toBe(true);
    const retry = failure.getByRole("button", { name: "Retry" });
    expect(await retry.isVisible()).toBe(true);
    await end();
    // The data may come back by itself before Retry is pressed.
    const back = page.getByText("No payments yet");
    await retry.or(back).click();
    await back.waitFor({ timeout: 120_000 });
    // Data comes back by itself where Retry is not pressed.
    await page.getByRole("link", { name: "Wallets" }).click();
    await page.getByText("Operating").waitFor();
    await page.locator(".stale").waitFor({ state: "detached", timeout: 120_000 });
    expect(await cookie()).toBe(before);
    await waitFor(async () => (await hands.call("GET", "account")).status === 200, { timeoutMs: 60_000 });
  };

  test("the gateway: data is kept, marked stale, and comes back by itself; nobody signs in again", async () => {
    await expectSurvived(
      () => world.system.stopGateway(),
      () => world.system.startGateway(),
    );
  });

  test("Postgres: the same", async () => {
    await expectSurvived(
      () => postgres.stop(),
      () => postgres.start(),
    );
  });

  test("the gateway, before anything was read: every screen says what failed, where, and how to go on", async () => {
    await world.system.stopGateway();
    try {
      for (const path of consoleScreens) {
        await hands.go(path);
        const failures = page.locator(".failure");
        await failures.first().waitFor();
        await expect.poll(() => page.locator(".loading").count(), { timeout: 60_000, message: path }).toBe(0);
        for (const failure of await failures.all()) {
          expect(await failure.textContent(), path).toMatch(/(?:UNAVAILABLE|CONNECTION_FAILED|TIMEOUT).*Request req_/);
          expect(await failure.getByRole("button", { name: "Retry" }).isVisible(), path).toBe(true);
        }
        await takePictures(page, await pictureFile("failed", path));
        await expectAccessible(page, `${path}, failed`);
      }
    } finally {
      await world.system.startGateway();
    }
  }, 900_000);
});
