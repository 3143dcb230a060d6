import { startDocs, type RunningDocs } from "@gateway/docs";
import { operationAnchor, operationPath } from "@gateway/docs/anchors";
import { readApiDocuments } from "@gateway/docs/documents";
import { collectPages } from "@gateway/docs/site";
import { createTestFolder } from "@gateway/testkit";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { findSerious, kindsOfPages, openWatched, waitUntilInView } from "./support/docs-browser.ts";
import { repository } from "./support/source-files.ts";

const documents = readApiDocuments();
const pages = await collectPages(documents);
const anchors = documents.flatMap(({ name, operations }) =>
  operations.map((operation) => ({
    url: `${operationPath(name, operation)}${operationAnchor(operation)}`,
    heading: operation.summary ?? operation.operationId,
  })),
);
/** Each is a load of its own, as from a link. */
const msPerLoad = 5_000;
const screenshots = join(repository, ".screenshots/docs");

const browser: Browser | null = await startChromium();
let docs: RunningDocs;

beforeAll(async () => {
  const folder = join(await createTestFolder(), "dist");
  docs = await startDocs({ port: 0, host: "127.0.0.1" }, { print: (line) => console.log(line) }, { folder });
  await docs.built;
  await mkdir(screenshots, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await docs.stop();
});

/** All pages, all operations, and the pictures; `docs-browser.system.test.ts` has one page of each kind. */
describe.skipIf(browser === null)("in Chromium, the whole site", () => {
  const own = (): Browser => browser as Browser;

  test("no page asks anybody else for anything, has an error, or is wider than a phone", async () => {
    const { context, foreign, faults } = await openWatched(own(), docs.url, { viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const wide: string[] = [];
    for (const { path } of pages) {
      await page.goto(docs.url + path);
      if ((await page.evaluate("document.documentElement.scrollWidth - innerWidth")) !== 0) {
        wide.push(path);
      }
    }
    console.log(`${pages.length} pages in Chromium: ${foreign.length} foreign requests, ${faults.length} faults`);
    await context.close();
    expect({ foreign, faults, wide }).toEqual({ foreign: [], faults: [], wide: [] });
  });

  test(
    "every operation that a guide may link to is shown at its anchor",
    async () => {
      const { context, foreign } = await openWatched(own(), docs.url, { viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      for (const { url, heading } of anchors) {
        await page.goto("about:blank");
        await page.goto(docs.url + url);
        await waitUntilInView(page, heading);
      }
      console.log(`${anchors.length} operations found at their anchors`);
      await context.close();
      expect(foreign).toEqual([]);
    },
    msPerLoad * anchors.length,
  );

  describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
    test.each(Object.entries(kindsOfPages))("axe finds nothing serious on: %s", async (_, path) => {
      const { context } = await openWatched(own(), docs.url, {
        colorScheme,
        viewport: { width: 1280, height: 900 },
        bypassCSP: true,
      });
      const page = await context.newPage();
      await page.goto(docs.url + path);
      const serious = await findSerious(page);
      await context.close();
      expect(serious).toEqual([]);
    });

    test.each([390, 1280])("screenshots at %i pixels", async (width) => {
      const { context, foreign } = await openWatched(own(), docs.url, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      const page = await context.newPage();
      for (const [kind, path] of Object.entries(kindsOfPages)) {
        await page.goto(docs.url + path);
        await page.screenshot({ path: join(screenshots, `${kind}-${width}-${colorScheme}.png`) });
      }
      await context.close();
      expect(foreign).toEqual([]);
    });
  });
});
