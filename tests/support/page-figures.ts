import { waitFor } from "@gateway/testkit";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** As Lighthouse names them; times in ms from the beginning of the navigation. */
export type PageFigures = {
  firstContentfulPaintMs: number;
  largestContentfulPaintMs: number;
  /** When the page is loaded and its last task over 50 ms has ended. */
  usableMs: number;
  totalBlockingTimeMs: number;
  layoutShift: number;
  /** Over the wire, with headers. */
  sizeBytes: number;
};

/** A phone on a slow line: 1.6 Mbit/s, 150 ms, and a quarter of this machine's processor. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const processorSlowdown = 4;
/** So long nothing over 50 ms may begin before a page counts as usable. */
const quietMs = 1_000;

/** Opens the page with an empty cache, on a slow phone, and waits until nothing goes on any more. */
export async function measurePage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<PageFigures> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let sizeBytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (sizeBytes += encodedDataLength));
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", slowLine);
    await session.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: "load", timeout: 60_000 });
    return { ...(await readFigures(page)), sizeBytes };
  } finally {
    await context.close();
  }
}

/** Runs in the page, before anything of it. */
const observe = `
  self.figures = { tasks: [], layoutShift: 0, largest: 0 };
  const follow = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  follow("longtask", ({ startTime, duration }) => figures.tasks.push({ startTime, duration }));
  follow("layout-shift", ({ hadRecentInput, value }) => { if (!hadRecentInput) figures.layoutShift += value; });
  follow("largest-contentful-paint", ({ startTime }) => { figures.largest = startTime; });
`;

type Observed = {
  tasks: { startTime: number; duration: number }[];
  layoutShift: number;
  largest: number;
  first: number;
  loaded: number;
};

async function readFigures(page: Page): Promise<Omit<PageFigures, "sizeBytes">> {
  const isQuiet = `(() => {
    const { startTime, duration } = figures.tasks.at(-1) ?? { startTime: 0, duration: 0 };
    const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
    return loadEventEnd > 0 && performance.now() - Math.max(startTime + duration, loadEventEnd) > ${quietMs};
  })()`;
  // The page's policy keeps out Playwright's own way of waiting, which evaluates text in the page.
  await waitFor(() => page.evaluate(isQuiet), { timeoutMs: 60_000 });
  // The page answers in the form of the expression.
  const { tasks, layoutShift, largest, first, loaded } = (await page.evaluate(`({
    ...figures,
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    loaded: performance.getEntriesByType("navigation")[0].loadEventEnd,
  })`)) as Observed;
  return {
    firstContentfulPaintMs: Math.round(first),
    largestContentfulPaintMs: Math.round(largest),
    usableMs: Math.round(Math.max(first, loaded, ...tasks.map(({ startTime, duration }) => startTime + duration))),
    totalBlockingTimeMs: Math.round(
      tasks.filter(({ startTime }) => startTime >= first).reduce((sum, { duration }) => sum + duration - 50, 0),
    ),
    layoutShift: Math.round(layoutShift * 10_000) / 10_000,
  };
}
