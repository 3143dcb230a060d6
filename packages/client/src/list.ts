import type { PublishedSchemas as Schemas } from "@gateway/contract/published";
import type { Opened } from "./call-promise.ts";

/** One page of a list. `after`: of a list that can be followed, where to follow on from its first page. */
export type Page<Item> = Opened<Item[], Schemas["ListMeta"] & Partial<Pick<Schemas["FollowedListMeta"], "after">>>;

/**
 * A list of the gateway. Nothing is asked for until it is walked: `for await (const wallet of client.wallets.list())`
 * goes through all of it, a page at a time. Walking it again asks again.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page by page, each with its `meta`. */
  pages(): AsyncIterable<Page<Item>>;
  /** One page: the first, or the one that a `meta.nextCursor` names. */
  page(place?: { cursor?: string | undefined }): Promise<Page<Item>>;
  /** The first items, up to a limit from 1 to 10,000. The limit is required because memory must have a bound. */
  toArray(limit: number): Promise<Item[]>;
}

const longestArray = 10_000;

/** Gives the page that begins at a cursor, or the one that the caller's own query begins with. */
export type AskForPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** A class, for lists are made often and its methods only once. */
export class PagedList<Item> implements List<Item> {
  readonly #ask: AskForPage<Item>;

  constructor(ask: AskForPage<Item>) {
    this.#ask = ask;
  }

  async *pages(): AsyncGenerator<Page<Item>> {
    let page = await this.#ask(undefined);
    yield page;
    while (page.meta.hasMore && page.meta.nextCursor !== null) {
      page = await this.#ask(page.meta.nextCursor);
      yield page;
    }
  }

  page({ cursor }: { cursor?: string | undefined } = {}): Promise<Page<Item>> {
    return this.#ask(cursor);
  }

  async toArray(limit: number): Promise<Item[]> {
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= longestArray)) {
      throw new TypeError(`toArray takes a limit from 1 to ${longestArray}; walk the list for more.`);
    }
    const items: Item[] = [];
    for await (const { data } of this.pages()) {
      items.push(...data.slice(0, limit - items.length));
      if (items.length === limit) {
        break;
      }
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const { data } of this.pages()) {
      yield* data;
    }
  }
}
