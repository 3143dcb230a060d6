import type { PublishedSchemas as Schemas } from "@gateway/contract/published";

/** One page of a list. */
export type Page<Item> = { data: Item[]; meta: Schemas["ListMeta"] };

/**
 * A list of the gateway. Nothing is asked for until it is walked: `for await (const wallet of client.wallets.list())` goes through all
 * of it, a page at a time. Walking it again asks again.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page by page, each with its `meta`. */
  pages(): AsyncIterable<Page<Item>>;
  /** One page: the first, or the one that a `meta.nextCursor` names. */
  page(place?: { cursor?: string | undefined }): Promise<Page<Item>>;
}

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

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const { data } of this.pages()) {
      yield* data;
    }
  }
}
