import type { Reference, RuleContext, Schema } from "../rules/rule.ts";

/**
 * A filter takes the values of the field that it filters by, without its descriptions and without `x-extensible`. It
 * names them as `enum: { $ref: WalletStatus.yaml#/enum }`, which JSON Schema does not have; here it gets the list.
 */
export function copyValues() {
  return {
    Schema: (schema: Omit<Schema, "enum"> & { enum?: unknown[] | Reference }, context: RuleContext): void => {
      if (schema.enum !== undefined && "$ref" in schema.enum) {
        schema.enum = [...(context.resolve<unknown[]>(schema.enum).node ?? [])];
      }
    },
  };
}
