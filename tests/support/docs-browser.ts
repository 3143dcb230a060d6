import { waitFor } from "@gateway/testkit";
import axe from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export type WatchedContext = {
  context: BrowserContext;
  /** Blocked requests to other sites. */
  foreign: string[];
  /** Faults of the page: script errors, missing files, and violations of the content security policy. */
  faults: string[];
};

/** A browser that reaches only addresses that begin with `own`, and that records its requests. */
export async function openWatched(
  browser: Browser,
  own: string,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> {
  const context = await browser.newContext(options);
  // A safety net for what hangs, because a busy machine takes its time.
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

/** A page of each kind on the site. */
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

/**
 * Violations that axe rates serious or critical, as rule and markup. The page's policy would block axe, so open the
 * page with `bypassCSP`.
 */
export async function findSerious(page: Page): Promise<[rule: string, markup: string[]][]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
}

/**
 * Waits until the heading is in view. Elements above have their true height only after they are drawn. The page's
 * policy blocks Playwright's own way of waiting.
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
