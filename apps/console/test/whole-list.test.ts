import { expect, test } from "vitest";
import { wholeOf } from "../browser/data/live-lists.ts";

test.each([
  [0, { pages: 1, items: 0, hasMore: false }],
  [100, { pages: 1, items: 100, hasMore: false }],
  [101, { pages: 2, items: 101, hasMore: false }],
  [1000, { pages: 10, items: 1000, hasMore: false }],
  [1001, { pages: 10, items: 1000, hasMore: true }],
])("a list of %i whole: each item once, in pages of 100, and whether there are others", async (count, expected) => {
  let pages = 0;
  // A cursor is where the next page begins.
  const { data, meta } = await wholeOf(({ limit, cursor }) => {
    pages += 1;
    const from = Number(cursor ?? 0);
    const to = Math.min(count, from + limit);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    return Promise.resolve({ data, meta: { hasMore: to < count, nextCursor: to < count ? String(to) : null } });
  });
  expect({ pages, items: data.length, hasMore: meta.hasMore }).toEqual(expected);
  expect(data).toEqual(Array.from({ length: expected.items }, (_, index) => index));
});

test("a page that fails fails the whole", async () => {
  const answers = [
    Promise.resolve({ data: [1], meta: { hasMore: true, nextCursor: "1" } }),
    Promise.reject(new Error("away")),
  ];
  await expect(wholeOf(() => answers.shift() ?? Promise.reject(new Error("asked again")))).rejects.toThrow("away");
});
