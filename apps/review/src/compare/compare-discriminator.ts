import type { SchemaWalk } from "./schema-walk.ts";
import { keysOf, objectOf, textOf, type JsonObject } from "./json.ts";
import { hasComponent } from "./resolve.ts";
import type { Pair } from "./scope.ts";
import type { SchemaView } from "./view-schema.ts";

export function compareDiscriminator({ tell, scope }: SchemaWalk, views: Pair<SchemaView>): void {
  const [base, head] = [views.base.discriminator, views.head.discriminator];
  if (!base || !head) {
    if (base || head) {
      tell(head ? "discriminator-added" : "discriminator-removed", { value: fieldOf(head ?? base) });
    }
    return;
  }
  if (fieldOf(base) !== fieldOf(head)) {
    tell("discriminator-changed", { before: fieldOf(base), after: fieldOf(head) });
  }
  const mappings = { base: objectOf(base["mapping"]), head: objectOf(head["mapping"]) };
  for (const value of keysOf(mappings.base, mappings.head)) {
    const [before, after] = [mappings.base[value], mappings.head[value]].map((one) => textOf(one));
    if (typeof before === "string" && typeof after === "string") {
      if (!isSameForm(scope.documents.head, { base: nameOf(before), head: nameOf(after) })) {
        tell("mapping-changed", { value, before: nameOf(before), after: nameOf(after) });
      }
    } else if (typeof before === "string") {
      tell("mapping-removed", { value, before: nameOf(before) });
    } else if (typeof after === "string") {
      tell("mapping-added", { value, after: nameOf(after) });
    }
  }
}

function fieldOf(discriminator: JsonObject | null): string {
  return textOf(discriminator?.["propertyName"]) ?? "no field";
}

/** A mapping names a component, or refers to it. */
function nameOf(target: string): string {
  return target.replace(/^#\/components\/schemas\//, "");
}

/** A base name that the head dropped counts as the same form, because `compareForms` reports how the forms differ. */
function isSameForm(document: JsonObject, { base, head }: Pair<string>): boolean {
  return base === head || !hasComponent(document, base);
}
