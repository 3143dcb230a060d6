/**
 * The text of `released.ts` with the digests of migrations that it does not name yet. A digest that it has stays, even
 * if its migration has changed: `released.test.ts` reports that.
 */
export function addDigests(text: string, digests: Readonly<Record<string, string>>): string {
  return text.replace(/(?<=^export const digests.* = \{\n)[^]*?(?=^\};$)/m, (lines) => {
    const known = Array.from(lines.matchAll(/^ {2}"(\w+)": "(\w+)",$/gm), ([, name, digest]) => [name, digest]);
    return Object.entries<string>({ ...digests, ...Object.fromEntries(known) })
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, digest]) => `  "${name}": "${digest}",\n`)
      .join("");
  });
}
