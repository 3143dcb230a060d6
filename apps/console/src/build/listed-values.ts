import { openapi } from "@gateway/contract";

/** Lists of values in the document that the page offers as choices. */
const lists = ["Currency", "DeliveryOutcome", "DeliveryStatus", "LedgerTransactionKind"];

export function listedValues(): Record<string, string[]> {
  // The document is linted, so its schemas are objects and an enum is a list.
  const schemas = openapi().components["schemas"] as Record<string, { enum?: string[] }> | undefined;
  return Object.fromEntries(
    lists.map((name) => {
      const values = schemas?.[name]?.enum;
      if (values === undefined) {
        throw new Error(`The document has no list of values ${name}.`);
      }
      return [name, values];
    }),
  );
}
