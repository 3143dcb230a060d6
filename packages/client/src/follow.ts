import type { PublishedSchemas as Schemas } from "@gateway/contract/published";
import type { Opened } from "./call-promise.ts";
import type { Ask } from "./create-resources.ts";
import type { WebhookEvent } from "./webhooks/webhook-event.ts";

export type FollowOptions = {
  /**
   * The place to continue from: `meta.after` of an earlier page, or of the first page of the list. Without it, the
   * oldest entry.
   */
  after?: string | undefined;
  /** Ends it: it throws the signal's reason. */
  signal?: AbortSignal | undefined;
};

/**
 * The entries after a place, oldest first; empty when nothing came for 25 s. Store `meta.after` once you have processed
 * them.
 */
export type FollowedPage<Item = WebhookEvent, Meta = Schemas["FollowedListMeta"]> = Opened<Item[], Meta>;

/** Requests instead of events; `meta.gaps` are those of the last hour. */
export type FollowedRequests = FollowedPage<Schemas["RequestLog"], Schemas["RequestLogListMeta"]>;

/**
 * All entries after a place, as they happen, each once: `for await (const event of client.events.follow())`. It sends
 * requests while it is iterated, and has no end of its own. It waits out lost connections, 429 and 503, and throws
 * permanent failures, such as a revoked key. After the database was restored from a backup, the entries of the last
 * minutes come again.
 */
export interface Followed<Page extends { data: unknown[] } = FollowedPage> extends AsyncIterable<Page["data"][number]> {
  /** With the place after each page, to continue from after a restart. */
  pages(): AsyncIterable<Page>;
}

/** Longer than a response waits for the first entry. */
const tryTimeoutMs = 35_000;

export function follow<Page extends { data: unknown[]; meta: { after: string | null } }>(
  ask: Ask,
  path: string,
  { after, signal, ...filter }: FollowOptions = {},
): Followed<Page> {
  async function* pages(): AsyncGenerator<Page> {
    for (let place = after; ;) {
      const query = { ...filter, waitSeconds: 25, limit: 100, ...(place && { after: place }) };
      const call = { signal, tryTimeoutMs, timeoutMs: Infinity, maxRetries: Infinity };
      // The document says so of this operation.
      const page = (await ask("GET", path, { ...call, params: { query } })) as unknown as Page;
      place = page.meta.after ?? place;
      yield page;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) {
        yield* data;
      }
    },
  };
}
