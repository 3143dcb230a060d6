import type { SchemaRule } from "./schema-rules.ts";
import type { Pair, Scope, Trail } from "./scope.ts";

/** The state of one walk through two schemas: how it reports, and which components it is inside of. */
export type SchemaWalk = {
  scope: Scope;
  trail: Trail;
  open: readonly string[];
  tell(rule: SchemaRule, change?: { on?: string; value?: string; before?: string; after?: string }): void;
  into(suffix: string, pair: Pair): void;
};
