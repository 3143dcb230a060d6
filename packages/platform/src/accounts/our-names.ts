const ourNames: ReadonlySet<string> = new Set(["console", "gateway", "gatewayconsole", "thegatewayconsole"]);

/** Letters and digits that look like the Latin ones of our names (after Unicode's confusables, UTS 39). */
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
 * Whether people would mistake the name for ours. Case, accents, width, spaces and look-alike letters do not matter.
 */
export function looksLikeOurs(name: string): boolean {
  const folded = Array.from(name.normalize("NFKD").toLowerCase(), (letter) => lookAlikes.get(letter) ?? letter);
  return ourNames.has(folded.join("").replaceAll(/[^\p{L}\p{N}]/gu, ""));
}
