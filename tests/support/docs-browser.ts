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
