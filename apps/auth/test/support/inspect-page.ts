import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const folder = fileURLToPath(new URL("../../../../.screenshots", import.meta.url));
const schemes = ["light", "dark"] as const;
/** A phone and a desktop. */
const widths = [390, 1280];

type Violation = { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] };

/**
 * A screenshot of the page at each width in each scheme, and axe's verdict on each, which must be empty. Nothing may be
 * wider than the window, nor too small to be touched.
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const viewport = page.viewportSize();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await page.evaluate<string[]>(smallTargets), `too small to touch on ${name}`).toEqual([]);
    }
    expect(await findViolations(page), `axe on ${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (viewport) {
    await page.setViewportSize(viewport);
  }
}

/** Checks a page on a phone: axe finds nothing, nothing is wider than the window or too small to touch. */
export async function checkPage(page: Page, name: string): Promise<void> {
  // Without its style sheet every page is too small.
  await page.waitForLoadState("load");
  expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), name).toBeLessThanOrEqual(0);
  expect(await page.evaluate<string[]>(smallTargets), `too small to touch on ${name}`).toEqual([]);
  expect(await findViolations(page), `axe on ${name}`).toEqual([]);
}

/** Buttons below 44 px of height. */
const smallTargets = `[...document.querySelectorAll("button, .button")]
  .filter((element) => element.offsetParent !== null && element.getBoundingClientRect().height < 44)
  .map((element) => element.textContent.trim())`;

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${String(target)}) ${failureSummary ?? ""}`),
  );
}
