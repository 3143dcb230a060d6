/** Lists each `pattern` in a document, in the order found. */
export function collectPatterns(node: unknown): string[] {
  if (typeof node !== "object" || node === null) {
    return [];
  }
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === "pattern" && typeof value === "string" ? [value] : collectPatterns(value),
  );
}
