/** The most that a page holds: what is wanted whole is asked for in pages of these. */
export const largestPage = 100;

const mostPages = 10;

/** How a list whole is called where there are more. */
export const theLatest = `the latest ${(largestPage * mostPages).toLocaleString("en")}`;

type Page = { data: unknown; meta: { hasMore?: boolean; nextCursor?: string | null } };

/** A whole list, up to its latest 1,000 items; `meta.hasMore` beyond. Each page is a read. */
export async function wholeOf<Answer extends Page>(
  ask: (page: { limit: number; cursor: string | undefined }) => Promise<Answer>,
): Promise<Answer> {
  const items: unknown[] = [];
  for (let cursor: string | undefined, page = 1; ; page += 1) {
    const answer = await ask({ limit: largestPage, cursor });
    // The operation is a list, so what it answers is an array of its items.
    items.push(...(answer.data as readonly unknown[]));
    if (!answer.meta.hasMore || page === mostPages) {
      return { ...answer, data: items };
    }
    cursor = answer.meta.nextCursor ?? undefined;
  }
}
