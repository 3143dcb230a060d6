/**
 * The first of the headers `names` (lower case, 30 at most) that is sent twice, or null. Two readers could choose
 * differently (RFC 9110, 5.3); Node joins or drops them, so only the raw list, of names and values in turn, tells.
 */
export function findRepeatedHeader(rawHeaders: readonly string[], names: readonly string[]): string | null {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const bit = 1 << (names.indexOf(name.toLowerCase()) + 1);
    if (bit > 1 && (seen & bit) !== 0) {
      return name;
    }
    seen |= bit;
  }
  return null;
}
