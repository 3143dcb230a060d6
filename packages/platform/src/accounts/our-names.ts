/** What applications of ours are called, without what is no letter. */
const ourNames: ReadonlySet<string> = new Set(["console", "gateway", "gatewayconsole", "thegatewayconsole"]);

/**
 * Letters of other alphabets, and digits, that look like Latin ones (after Unicode's confusables, UTS 39): those of our
 * names alone.
 */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аαɑ@4",
    c: "сϲᴄ",
    e: "еεє3",
    g: "ɡԍ",
    l: "ӏіι1|iıǀ",
    n: "пո",
    o: "оοσօ0",
    s: "ѕꜱ5$",
    t: "тτ7",
    w: "ԝωшѡ",
    y: "уγүʏ",
  }).flatMap(([latin, others]) => Array.from(others, (other): [string, string] => [other, latin])),
);

/**
 * Whether people would take the name for one of ours: whatever its case, accents, width, spaces, and letters that look
 * alike.
 */
export function looksLikeOurs(name: string): boolean {
  const folded = Array.from(name.normalize("NFKD").toLowerCase(), (letter) => lookAlikes.get(letter) ?? letter);
  return ourNames.has(folded.join("").replaceAll(/[^\p{L}\p{N}]/gu, ""));
}
