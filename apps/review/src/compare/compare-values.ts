import type { SchemaWalk } from "./schema-walk.ts";
import { nameTypes } from "./compare-types.ts";
import { isProof } from "./proofs.ts";
import type { Pair } from "./scope.ts";
import type { SchemaView } from "./view-schema.ts";

/** The lists of `enum` and `const`. The base says whether readers had to expect more. */
export function compareValues({ tell, scope, trail }: SchemaWalk, { base, head }: Pair<SchemaView>): void {
  if (base.values !== null && head.values !== null && base.isOpenList !== head.isOpenList) {
    tell(head.isOpenList ? "list-opened" : "list-closed");
  }
  if (base.values === null || head.values === null) {
    if (head.values !== null) {
      tell("values-listed", { before: nameTypes(base), after: [...head.values].join(", ") });
    } else if (base.values !== null) {
      tell(base.isOpenList ? "listed-values-freed" : "values-freed", {
        before: [...base.values].join(", "),
        after: nameTypes(head),
      });
    }
    return;
  }
  if (base.values.isDisjointFrom(head.values) && !base.isOpenList) {
    tell("values-replaced", { before: [...base.values].join(", "), after: [...head.values].join(", ") });
    return;
  }
  for (const value of base.values.difference(head.values)) {
    tell("value-removed", { value, after: [...head.values].join(", ") });
  }
  const before = [...base.values].join(", ");
  for (const value of head.values.difference(base.values)) {
    if (isProof(trail.at)) {
      scope.tell({ rule: "proof-value-added", anchor: trail.anchor, at: trail.at, value, before });
    }
    tell(base.isOpenList ? "listed-value-added" : "value-added", { value, before });
  }
}
