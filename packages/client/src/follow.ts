import type { PublishedSchemas as Schemas } from "@gateway/contract/published";
import type { Opened } from "./call-promise.ts";
import type { Ask } from "./create-resources.ts";
import type { WebhookEvent } from "./webhooks/webhook-event.ts";

export type FollowOptions = {
  /**
   * Where to go on: `meta.after` of a page before, or of the first page of the list. Without it, from the oldest that
   * is kept.
   */
  after?: string | undefined;
  /** Ends it: it throws the signal's reason. */
  signal?: AbortSignal | undefined;
};

/**
 * What came after a place, oldest first; empty when nothing came for 25 s. Store `meta.after` once you have done with
 * it.
 */
export type FollowedPage<Item = WebhookEvent, Meta = Schemas["FollowedListMeta"]> = Opened<Item[], Meta>;

/** Requests in the place of events; `meta.gaps` are those of the last hour. */
export type FollowedRequests = FollowedPage<Schemas["RequestLog"], Schemas["RequestLogListMeta"]>;

/**
 * All from a place on, as they happen, each once: `for await (const event of client.events.follow())`. It asks when it
 * is walked, and has no end of its own: it waits out lost connections, 429 and 503, and throws what will not pass, such
 * as a revoked key. Once the database was restored from a backup those of the last minutes come again.
 */
export interface Followed<Page extends { data: unknown[] } = FollowedPage> extends AsyncIterable<Page["data"][number]> {
  /** With the place behind each page, to go on from after a restart. */
  pages(): AsyncIterable<Page>;
}

/** Longer than an answer waits for something to happen. */
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
