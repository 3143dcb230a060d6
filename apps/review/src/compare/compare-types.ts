import type { SchemaWalk } from "./schema-walk.ts";
import type { Pair } from "./scope.ts";
import type { SchemaView } from "./view-schema.ts";

type Types = ReadonlySet<string> | null;

/** Tells how the types differ; `other` when nothing that fitted the one fits the other. */
export function compareTypes({ tell }: SchemaWalk, { base, head }: Pair<SchemaView>): "other" | "alike" {
  const isNarrowed = !covers(head.types, base.types);
  const isWidened = !covers(base.types, head.types);
  if (isNarrowed || isWidened) {
    tell(isNarrowed && isWidened ? "type-changed" : isNarrowed ? "type-narrowed" : "type-widened", {
      before: nameTypes(base),
      after: nameTypes(head),
    });
  }
  if (isNarrowed && isWidened) {
    return "other";
  }
  // Of a type that is any, null is one; that it was narrowed or widened says it.
  if (base.isNullable !== head.isNullable && base.types !== null && head.types !== null) {
    tell(head.isNullable ? "null-allowed" : "null-refused", { before: nameTypes(base) });
  }
  return "alike";
}

function covers(wide: Types, narrow: Types): boolean {
  if (wide === null) {
    return true;
  }
  return narrow !== null && [...narrow].every((type) => wide.has(type) || (type === "integer" && wide.has("number")));
}

export function nameTypes({ types, isNullable }: SchemaView): string {
  if (types === null) {
    return "anything";
  }
  return [...[...types].sort(), ...(isNullable ? ["null"] : [])].join(" or ");
}

/** In a few words: its component, or its types and its values. */
export function nameSchema(view: SchemaView): string {
  const values = view.values === null ? "" : ` (${[...view.values].join(", ")})`;
  return view.component ?? `${nameTypes(view)}${values}`;
}
