import type { Rule, Schema } from "./rule.ts";

/** Every object is closed, so that a misspelt field is refused and responses have documented fields only. */
export const closedObjects: Rule = () => ({
  Schema: (schema, context) => {
    if (isObject(schema) && !isClosed(schema)) {
      context.report({
        message: "An object must declare additionalProperties: false, or the schema of its values.",
      });
    }
  },
});

function isObject(schema: Schema): boolean {
  return schema.properties !== undefined || [schema.type].flat().includes("object");
}

function isClosed({ additionalProperties }: Schema): boolean {
  return (
    additionalProperties === false ||
    (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
  );
}
