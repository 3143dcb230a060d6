import type { SchemaWalk } from "./schema-walk.ts";
import { nameSchema } from "./compare-types.ts";
import { isProof } from "./proofs.ts";
import { step, type Pair } from "./scope.ts";
import { isAny, type SchemaView } from "./view-schema.ts";

export function compareFields(walk: SchemaWalk, views: Pair<SchemaView>): void {
  const pair = { base: seenFields(walk, views.base, "base"), head: seenFields(walk, views.head, "head") };
  for (const name of pair.base.union(pair.head)) {
    compareField(walk, views, { name, wasThere: pair.base.has(name), isThere: pair.head.has(name) });
  }
  compareAdditional(walk, views);
  if (views.base.names !== undefined || views.head.names !== undefined) {
    walk.into("{name}", { base: views.base.names, head: views.head.names });
  }
}

/** Names that this channel carries: senders have no `readOnly` fields, and readers have no `writeOnly` fields. */
function seenFields({ scope, trail }: SchemaWalk, view: SchemaView, side: keyof Pair): ReadonlySet<string> {
  const isSending = trail.channel === "request" || trail.channel === "answer";
  const names = [...new Set([...view.fields.keys(), ...view.required])];
  return new Set(
    names.filter((name) => {
      const { isReadOnly, isWriteOnly } = scope.sides[side].view(view.fields.get(name));
      return !(isSending ? isReadOnly : isWriteOnly);
    }),
  );
}

type Field = { name: string; wasThere: boolean; isThere: boolean };

function compareField(walk: SchemaWalk, { base, head }: Pair<SchemaView>, { name, wasThere, isThere }: Field): void {
  const on = `.${name}`;
  if (!wasThere) {
    const after = nameSchema(walk.scope.sides.head.view(head.fields.get(name)));
    walk.tell(head.required.has(name) ? "required-field-added" : "field-added", { on, after });
    return;
  }
  if (!isThere) {
    const before = nameSchema(walk.scope.sides.base.view(base.fields.get(name)));
    walk.tell(head.additional === false ? "field-removed" : "field-ignored", { on, before });
    return;
  }
  if (base.required.has(name) !== head.required.has(name)) {
    walk.tell(head.required.has(name) ? "field-required" : "field-optional", { on });
    const { anchor, at, channel } = step(walk.trail, on);
    if (!head.required.has(name) && channel === "request" && isProof(at)) {
      walk.scope.tell({ rule: "proof-optional", anchor, at });
    }
  }
  walk.into(on, { base: base.fields.get(name), head: head.fields.get(name) });
}

function compareAdditional(walk: SchemaWalk, { base, head }: Pair<SchemaView>): void {
  const [before, after] = [base.additional, head.additional];
  if (typeof before !== "boolean" && typeof after !== "boolean") {
    walk.into("[key]", { base: before, head: after });
    return;
  }
  if (after === false && isMap(base) && !isMap(head)) {
    walk.tell("map-closed", { before: nameSchema(walk.scope.sides.base.view(before)) });
    return;
  }
  if (typeof before !== "boolean" && !isAny(before) && after === true) {
    walk.tell("map-freed", { before: nameSchema(walk.scope.sides.base.view(before)) });
    return;
  }
  // From narrow to wide: no additional fields, those of a schema, all.
  const width = (additional: typeof before): number => (additional === false ? 0 : isAny(additional) ? 2 : 1);
  if (width(before) !== width(after)) {
    walk.tell(width(after) < width(before) ? "closed" : "opened");
  }
}

/** An object whose entries are described together, or that has no fields and accepts every entry. */
function isMap({ additional, fields }: SchemaView): boolean {
  return additional !== false && (fields.size === 0 || !isAny(additional));
}
