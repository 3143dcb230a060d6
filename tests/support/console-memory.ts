import type { Page } from "playwright-core";

/**
 * Finds the page's QueryClient through React's own tree, because no script of the page exposes it. The debugger
 * evaluates it, which bypasses the content security policy.
 */
const findCaches = `(() => {
  const root = document.getElementById("root");
  const container = Object.keys(root).find((name) => name.startsWith("__reactContainer$"));
  const seen = [root[container]];
  while (seen.length > 0) {
    const fiber = seen.pop();
    const client = fiber?.memoizedProps?.client;
    if (client?.getQueryCache) {
      return client;
    }
    seen.push(...[fiber?.child, fiber?.sibling].filter(Boolean));
  }
  throw new Error("The page has no QueryClient.");
})()`;

/** The contents of TanStack Query's caches: responses, and sent variables. */
export function readCaches(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const client = ${findCaches};
    const queries = client.getQueryCache().getAll().map(({ queryKey, state }) => ({ queryKey, state }));
    const mutations = client.getMutationCache().getAll().map(({ state }) => state);
    return JSON.stringify({ queries, mutations });
  })()`);
}

/** The places that still contain a string, among those that a script or an onlooker can read. */
export async function findRemains(page: Page, text: string): Promise<string[]> {
  const places = await page.evaluate<Record<string, string>>(`(async () => {
    const databases = await indexedDB.databases();
    const inputs = [...document.querySelectorAll("input, textarea, select")].map(({ value }) => value);
    return {
      document: document.documentElement.outerHTML,
      inputs: inputs.join(),
      localStorage: JSON.stringify(localStorage),
      sessionStorage: JSON.stringify(sessionStorage),
      databases: JSON.stringify(databases),
      cookies: document.cookie,
      history: JSON.stringify(history.state) + location.href,
      name: window.name,
      resources: performance.getEntries().map(({ name }) => name).join(),
    };
  })()`);
  const frames = await Promise.all(page.frames().map((frame) => frame.content()));
  const all = { ...places, caches: await readCaches(page), frames: frames.join(), title: await page.title() };
  return Object.entries(all).flatMap(([name, held]) => (held.includes(text) ? [name] : []));
}

/** Whether a string is anywhere in the memory of the page's scripts after a garbage collection. */
export async function isInHeap(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return chunks.join("").includes(text);
}
