import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible, startConsolePage, type AccountApi, type ConsolePage } from "./support/console-page.ts";
import { repository } from "./support/source-files.ts";
import type { Person } from "../apps/auth/test/support/test-auth.ts";

const chromium = await startChromium();
const pictures = join(repository, ".screenshots/console");

const screens = [
  "/",
  "/inbox",
  "/inbox?queue=kyc",
  "/wallets",
  "/payments",
  "/transfers",
  "/orders",
  "/ledger",
  "/ledger?view=transactions",
  "/webhooks",
  "/deliveries",
  "/events",
  "/keys",
  "/applications",
  "/sandbox",
  "/people",
  "/settings",
];

describe.skipIf(chromium === null)("pictures of the console", () => {
  let world: ConsolePage;
  let person: Person;
  let api: AccountApi;
  let page: Page;

  beforeAll(async () => {
    if (chromium === null) {
      return;
    }
    world = await startConsolePage(chromium);
    await mkdir(pictures, { recursive: true });
    ({ person, api } = await world.createAccount());
    page = await world.openPage();
    await world.signIn(page, person);
  }, 120_000);
  afterEach(() => expect(world.takeFaults()).toEqual([]));
  afterAll(async () => {
    await world?.stop();
    await chromium?.close();
  });

  test.each(screens)("%s, empty", async (path) => {
    await page.goto(`${world.system.consoleUrl}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await take(page, `empty${path.replaceAll(/\W+/g, "-")}`);
    await expectAccessible(page, path);
  });

  test("full", async () => {
    const wallet = await api.post("wallets", { name: "Operating", currency: "EUR" });
    expect(wallet.id).toBeTruthy();
  });
});

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(width);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
