import { waitFor } from "@gateway/testkit";
import axe from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export type WatchedContext = {
  context: BrowserContext;
  /** Requests that would have left the site; each was blocked. */
  foreign: string[];
  /** What went wrong on a page: errors of scripts, files that are missing, and what the policy refused. */
  faults: string[];
};

/** A browser that reaches nothing but addresses that begin with `own`, and that tells what it was asked for. */
export async function openWatched(
  browser: Browser,
  own: string,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> {
  const context = await browser.newContext(options);
  // A net for what hangs: a busy machine takes its time.
  context.setDefaultTimeout(60_000);
  const foreign: string[] = [];
  const faults: string[] = [];
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(own)) {
      return route.continue();
    }
    foreign.push(url);
    return route.abort();
  });
  context.on("page", (page: Page) => {
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") {
        faults.push(`${page.url()}: ${message.text()}`);
      }
    });
    page.on("response", (response) => {
      if (response.status() >= 400 && !response.url().endsWith("/404")) {
        faults.push(`${response.url()}: ${response.status()}`);
      }
    });
  });
  return { context, foreign, faults };
}

/** One page of each kind that the site has. */
export const kindsOfPages = {
  home: "",
  guide: "guides/webhooks",
  error: "errors/RATE_LIMITED",
  event: "events/wallet.created",
  reference: "reference/gateway",
  operation: "reference/gateway/tags/wallets#createwallet",
  auth: "reference/auth/tags/tokens#exchangetoken",
} as const;

type Violation = { id: string; impact: string | null; nodes: { html: string }[] };

/** What axe finds serious, as rule and markup. The page's policy would keep axe out: open the page with `bypassCSP`. */
export async function findSerious(page: Page): Promise<[rule: string, markup: string[]][]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
}

/**
 * Waits until the heading is in view. What is above has its true height once it was drawn; the page's policy keeps out
 * Playwright's own way of waiting.
 */
export async function waitUntilInView(page: Page, heading: string): Promise<void> {
  await waitFor(
    () =>
      page.evaluate(`[...document.querySelectorAll("article :is(h2, h3)")].some((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return one.firstChild.textContent.trim() === ${JSON.stringify(heading)} && top >= 0 && bottom < innerHeight;
      })`),
    { timeoutMs: 60_000 },
  );
}
