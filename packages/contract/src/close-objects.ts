/**
 * The document with each object schema that says nothing of other fields closed. In the sources every object is closed
 * or a map, so this undoes what publishing opens, and nothing else: a test compares the two. A copy, of all that is in
 * it.
 */
export function closeObjects<Document extends object>(document: Document): Document {
  // Only fields are added that its type says nothing about.
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
