import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { repository } from "./source-files.ts";

/** The addresses of all screens. */
export const consoleScreens = [
  "/",
  "/inbox",
  "/inbox?queue=kyc",
  "/wallets",
  "/payments",
  "/counterparties",
  "/transfers",
  "/transfers?view=rules",
  "/orders",
  "/ledger",
  "/ledger?view=transactions",
  "/logs",
  "/logs?view=groups",
  "/usage",
  "/webhooks",
  "/deliveries",
  "/events",
  "/keys",
  "/applications",
  "/sandbox",
  "/people",
  "/settings",
] as const;

/** The path of a picture's file. `path` is the address of a screen, or names something on it. */
export async function pictureFile(kind: string, path = ""): Promise<string> {
  const folder = join(repository, ".screenshots/console");
  await mkdir(folder, { recursive: true });
  return join(folder, `${kind}${path.replaceAll(/\W+/g, "-")}`);
}

/** Takes pictures at the width of a phone and of a desktop, light and dark. Nothing may be wider than the window. */
export async function takePictures(page: Page, file: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.screenshot({ path: `${file}-${width}-${colorScheme}.png` });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth"), file).toBeLessThanOrEqual(width);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
