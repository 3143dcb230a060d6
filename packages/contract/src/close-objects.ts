/**
 * Returns a deep copy of the document in which each object schema without a rule for other fields is closed. In the
 * sources every object is closed or a map, so this only reverses what publishing opens. A test compares the two.
 */
export function closeObjects<Document extends object>(document: Document): Document {
  // Only keywords are added that the type does not mention.
  return close(document) as Document;
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(close);
  }
  if (typeof node !== "object" || node === null) {
    return node;
  }
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]));
  return isObjectSchema(closed) ? { additionalProperties: false, ...closed } : closed;
}

function isObjectSchema({ type }: Record<string, unknown>): boolean {
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}
