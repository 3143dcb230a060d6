import { startDocs, type RunningDocs } from "@gateway/docs";
import { readApiDocuments } from "@gateway/docs/documents";
import { collectPages } from "@gateway/docs/site";
import { createTestFolder, measureSlowness } from "@gateway/testkit";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { measurePage, type PageFigures } from "./support/page-figures.ts";

const pages = await collectPages(readApiDocuments());
const usableAtMostMs = 5_000;
const phone = { viewport: { width: 390, height: 844 } };
const browser: Browser | null = await startChromium();
let docs: RunningDocs;

beforeAll(async () => {
  const folder = join(await createTestFolder(), "dist");
  docs = await startDocs({ port: 0, host: "127.0.0.1" }, { print: (line) => console.log(line) }, { folder });
  await docs.built;
});
afterAll(async () => {
  await browser?.close();
  await docs.stop();
});

describe.skipIf(browser === null)("on a slow phone: 1.6 Mbit/s, 150 ms, a quarter of the processor", () => {
  const measure = (path: string): Promise<PageFigures> => measurePage(browser as Browser, docs.url + path, phone);

  test.each([
    ["home", ""],
    ["a guide", "guides/webhooks"],
    ["the reference", "reference/gateway"],
    ["an operation of the reference, by its address", "reference/gateway/tags/wallets#createwallet"],
  ])("%s is usable in 5 s and at most 750 kB", async (name, path) => {
    const { figures, limitMs } = await measureBest(() => measure(path));
    console.log(`${name}: ${describeFigures(figures)}; limit ${Math.round(limitMs)} ms`);
    expect(figures.usableMs).toBeLessThan(limitMs);
    expect(figures.sizeBytes).toBeGreaterThan(10_000);
    expect(figures.sizeBytes).toBeLessThan(750_000);
  });

  test(
    "nothing moves on any page: a layout shift of 0.1 at most",
    async () => {
      const shifts: { path: string; layoutShift: number }[] = [];
      for (const { path } of pages) {
        shifts.push({ path, layoutShift: (await measure(path)).layoutShift });
      }
      const worst = shifts.toSorted((one, other) => other.layoutShift - one.layoutShift)[0];
      console.log(`${shifts.length} pages, the largest shift ${worst?.layoutShift} on /${worst?.path}`);
      expect(shifts.filter(({ layoutShift }) => layoutShift > 0.1)).toEqual([]);
    },
    pages.length * 15_000,
  );
});

/**
 * The best of three measurements, or the first within the limit. Other work on this machine only makes a page slower,
 * so a slower machine has a higher limit.
 */
async function measureBest(measure: () => Promise<PageFigures>): Promise<{ figures: PageFigures; limitMs: number }> {
  let figures = await measure();
  let limitMs = usableAtMostMs;
  for (let tries = 1; tries < 3 && figures.usableMs >= limitMs; tries += 1) {
    limitMs = Math.max(limitMs, usableAtMostMs * (await measureSlowness()));
    const next = await measure();
    figures = next.usableMs < figures.usableMs ? next : figures;
  }
  return { figures, limitMs };
}

function describeFigures(figures: PageFigures): string {
  return [
    `FCP ${figures.firstContentfulPaintMs} ms`,
    `LCP ${figures.largestContentfulPaintMs} ms`,
    `usable ${figures.usableMs} ms`,
    `TBT ${figures.totalBlockingTimeMs} ms`,
    `CLS ${figures.layoutShift}`,
    `${Math.round(figures.sizeBytes / 1000)} kB`,
  ].join(", ");
}
