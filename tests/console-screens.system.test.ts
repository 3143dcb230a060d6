import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { places } from "../apps/console/browser/shell/places.ts";
import { startChromium } from "./support/chromium.ts";
import { expectAccessible } from "./support/console-page.ts";
import { screenFlows } from "./support/console-screen-flows.ts";
import { provideConsole } from "./support/console-visit.ts";
import { enterFlow } from "./support/screen-flow.ts";
import { readRepositoryFile } from "./support/source-files.ts";

const chromium = await startChromium();

test("every screen of the router has a flow, and every place that one can go to is a screen", () => {
  const router = readRepositoryFile("apps/console/browser/router.tsx");
  const paths = Array.from(router.matchAll(/screen\(\s*"([^"]+)"/g), ([, path]) => path);
  expect(paths).toEqual(expect.arrayContaining(places.map(({ path }) => path)));
  expect(new Set(Object.keys(screenFlows).map((path) => path.split("?", 1)[0]))).toEqual(new Set(paths));
});

/** On the real system, in one page that each flow enters as somebody new. */
describe.skipIf(chromium === null)("does its job in Chromium, the API agrees, and axe finds nothing serious:", () => {
  const used = provideConsole(chromium);
  let page: Page;

  beforeAll(async () => {
    page = await used.world.openPage();
  });

  test.each(Object.keys(screenFlows))("%s", async (path) => {
    await screenFlows[path]?.(await enterFlow(used.world, page));
    await expectAccessible(page, path, ["light"]);
  });
});
