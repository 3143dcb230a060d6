import type { SchemaWalk } from "./schema-walk.ts";
import type { Pair } from "./scope.ts";
import type { SchemaView } from "./view-schema.ts";

type Types = ReadonlySet<string> | null;

/** Reports how the types differ. Returns `other` when no value that fitted the base fits the head. */
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
  // A schema of any type already allows null, and the change to or from any type is reported above.
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

/** A short name for a schema: its component, or its types and its values. */
export function nameSchema(view: SchemaView): string {
  const values = view.values === null ? "" : ` (${[...view.values].join(", ")})`;
  return view.component ?? `${nameTypes(view)}${values}`;
}
