export type ExcerptPart = { text: string; isMatch: boolean };

const beforeAtMost = 50;
const lengthAtMost = 160;

/** The text around the first of the words, cut between words, with all of them marked; else its beginning. */
export function cutExcerpt(text: string, words: readonly string[]): ExcerptPart[] {
  const alternatives = words.map((word) => word.replaceAll(".", "\\.")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives || "(?!)"})(?![\\p{L}\\p{N}])`, "giu");
  const first = Math.max(0, text.search(pattern));
  const start = first <= beforeAtMost ? 0 : text.indexOf(" ", first - beforeAtMost) + 1;
  const isWhole = text.length <= start + lengthAtMost;
  const end = isWhole ? text.length : Math.max(text.lastIndexOf(" ", start + lengthAtMost), first);
  const cut = `${start > 0 ? "… " : ""}${text.slice(start, end)}${isWhole ? "" : " …"}`;
  const parts: ExcerptPart[] = [];
  let from = 0;
  for (const { index, 0: found } of cut.matchAll(pattern)) {
    parts.push({ text: cut.slice(from, index), isMatch: false }, { text: found, isMatch: true });
    from = index + found.length;
  }
  return [...parts, { text: cut.slice(from), isMatch: false }].filter((part) => part.text !== "");
}
