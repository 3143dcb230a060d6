import { waitFor } from "@gateway/testkit";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Figures under Lighthouse's names. Times are in ms from the beginning of the navigation. */
export type PageFigures = {
  firstContentfulPaintMs: number;
  largestContentfulPaintMs: number;
  /** The time when the page is loaded and its last task over 50 ms has ended. */
  usableMs: number;
  totalBlockingTimeMs: number;
  layoutShift: number;
  /** The time when `isThere` became true and stayed true. */
  thereMs: number;
  /**
   * Processor time of the page's main thread. It is the only figure that does not depend on other work of the machine.
   */
  processorMs: number;
  /** Bytes over the wire, with headers. */
  sizeBytes: number;
};

/** A phone on a slow line: 1.6 Mbit/s, 150 ms, and a quarter of this machine's processor. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const processorSlowdown = 4;
/** The time without a task over 50 ms after which a page counts as usable. */
const quietMs = 1_000;

export type MeasureOptions = BrowserContextOptions & {
  /** Measures at the speed of this machine, instead of a slow phone. */
  isUnthrottled?: boolean;
  /** An expression that the page evaluates after each change: whether everything is shown. */
  isThere?: string;
};

/** Opens the page with an empty cache, on a slow phone, and waits until it is idle. */
export async function measurePage(
  browser: Browser,
  url: string,
  { isUnthrottled = false, isThere = "true", ...options }: MeasureOptions = {},
): Promise<PageFigures> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let sizeBytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (sizeBytes += encodedDataLength));
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await session.send("Network.enable");
    if (!isUnthrottled) {
      await session.send("Network.emulateNetworkConditions", slowLine);
      await session.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
    }
    await page.addInitScript(`${observe} ${watchFor(isThere)}`);
    await page.goto(url, { waitUntil: "load", timeout: 60_000 });
    const figures = await readFigures(page);
    const { metrics } = await session.send("Performance.getMetrics");
    const processorSeconds = metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
    return { ...figures, processorMs: Math.round(processorSeconds * 1000), sizeBytes };
  } finally {
    await context.close();
  }
}

/** Runs in the page before its own scripts. */
const observe = `
  self.figures = { tasks: [], layoutShift: 0, largest: 0, there: null };
  const follow = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  follow("longtask", ({ startTime, duration }) => figures.tasks.push({ startTime, duration }));
  follow("layout-shift", ({ hadRecentInput, value }) => { if (!hadRecentInput) figures.layoutShift += value; });
  follow("largest-contentful-paint", ({ startTime }) => { figures.largest = startTime; });
`;

/**
 * The time in ms from each press until its change was painted, on the processor of a slow phone. Event Timing measures
 * it to 8 ms. It does not report a press below 16 ms, which counts as 0.
 */
export async function measurePresses(page: Page, presses: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
  await page.evaluate(`
    self.presses = [];
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) { if (interactionId) presses.push(duration); }
    }).observe({ type: "event", durationThreshold: 16 });
  `);
  const durationsMs: number[] = [];
  for (const press of presses) {
    await page.evaluate("presses.length = 0");
    await press();
    // The browser reports an event after the frame that follows it.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)))");
    durationsMs.push(Math.max(0, ...(await page.evaluate<number[]>("presses"))));
  }
  await session.detach();
  return durationsMs;
}

/** Notes when the expression became true. Starts over when it was false in between. */
function watchFor(isThere: string): string {
  return `
    const look = () => {
      if (!(${isThere})) { figures.there = null; } else { figures.there ??= performance.now(); }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true });
  `;
}

type Observed = {
  tasks: { startTime: number; duration: number }[];
  layoutShift: number;
  largest: number;
  there: number | null;
  first: number;
  loaded: number;
};

async function readFigures(page: Page): Promise<Omit<PageFigures, "sizeBytes" | "processorMs">> {
  const isQuiet = `(() => {
    const { startTime, duration } = figures.tasks.at(-1) ?? { startTime: 0, duration: 0 };
    const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
    return loadEventEnd > 0 && figures.there !== null && performance.now() - Math.max(startTime + duration, loadEventEnd, figures.there) > ${quietMs};
  })()`;
  // The page's policy blocks Playwright's own way of waiting, which evaluates text in the page.
  await waitFor(() => page.evaluate(isQuiet), { timeoutMs: 60_000 });
  // The expression returns this form.
  const { tasks, layoutShift, largest, there, first, loaded } = (await page.evaluate(`({
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
    thereMs: Math.round(there ?? Infinity),
  };
}
