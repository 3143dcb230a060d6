import { compareDiscriminator } from "./compare-discriminator.ts";
import { compareFields } from "./compare-fields.ts";
import { compareForms } from "./compare-forms.ts";
import { compareLimits } from "./compare-limits.ts";
import { compareTypes } from "./compare-types.ts";
import { compareValues } from "./compare-values.ts";
import { canonical, keysOf, objectOf, omit, type Json } from "./json.ts";
import { quoteWords } from "./quote-words.ts";
import { isSame, nameThing, step, type Pair, type Scope, type Trail } from "./scope.ts";
import type { SchemaWalk } from "./schema-walk.ts";
import type { SchemaView } from "./view-schema.ts";

/** Compares the values that two schemas accept, not the way that the schemas are written. */
export function compareSchema(scope: Scope, pair: Pair, trail: Trail, open: readonly string[] = []): void {
  if (isSame(scope, pair)) {
    return;
  }
  const { base, head } = scope.sides;
  const views = { base: base.view(pair.base), head: head.view(pair.head) };
  const loop = `${views.base.component} ${views.head.component}`;
  if (views.base.component !== null && open.includes(loop)) {
    return;
  }
  const components = { base: views.base.component, head: views.head.component };
  const here = { ...trail, anchor: nameThing(scope, components, trail.anchor) };
  // Keywords next to a reference belong to the place and not to the component.
  const isSaidHere = canonical(besideReference(pair.base)) !== canonical(besideReference(pair.head));
  compareAnnotations(createWalk(scope, isSaidHere ? trail : here, open), views);
  compareViews(createWalk(scope, here, [...open, loop]), views, pair);
}

function createWalk(scope: Scope, trail: Trail, open: readonly string[]): SchemaWalk {
  return {
    scope,
    trail,
    open,
    tell: (rule, { on = "", ...change } = {}) => {
      const { anchor, at, channel } = step(trail, on);
      scope.tell({ rule: `${channel}-${rule}`, anchor, at, ...change });
    },
    into: (suffix, pair) => compareSchema(scope, pair, step(trail, suffix), open),
  };
}

function compareViews(walk: SchemaWalk, views: Pair<SchemaView>, pair: Pair): void {
  compareDiscriminator(walk, views);
  if (views.base.forms.length > 0 || views.head.forms.length > 0) {
    compareForms(walk, views, pair);
    return;
  }
  // Two schemas of different types differ in every other keyword too, so only the types are reported.
  if (compareTypes(walk, views) === "other") {
    return;
  }
  compareValues(walk, views);
  compareLimits(walk, views);
  compareFields(walk, views);
  compareItems(walk, views);
  compareRest(walk, views);
}

function compareItems(walk: SchemaWalk, { base, head }: Pair<SchemaView>): void {
  for (let index = 0; index < Math.max(base.prefix.length, head.prefix.length); index++) {
    walk.into(`[${index}]`, { base: base.prefix[index] ?? base.items, head: head.prefix[index] ?? head.items });
  }
  if (base.items !== undefined || head.items !== undefined) {
    walk.into("[]", { base: base.items, head: head.items });
  }
}

function besideReference(schema: Json | undefined): Json {
  return omit(objectOf(schema), ["$ref"]);
}

function compareAnnotations(walk: SchemaWalk, views: Pair<SchemaView>): void {
  const { tell } = walk;
  const { base, head } = views;
  if (base.isDeprecated !== head.isDeprecated) {
    tell(head.isDeprecated ? "deprecated" : "undeprecated");
  }
  const words = quoteWords({ base: base.texts, head: head.texts });
  if (words !== null) {
    tell("text-changed", words);
  }
  compareDefaults(walk, views);
}

function compareDefaults({ tell }: SchemaWalk, pair: Pair<SchemaView>): void {
  const [before, after] = [canonical(pair.base.default), canonical(pair.head.default)];
  if (before === after) {
    return;
  }
  if (pair.base.default === undefined) {
    tell("default-added", { after });
  } else if (pair.head.default === undefined) {
    tell("default-removed", { before });
  } else {
    tell("default-changed", { before, after });
  }
}

function compareRest({ tell }: SchemaWalk, { base, head }: Pair<SchemaView>): void {
  compareAlternatives(tell, { base: base.alternatives, head: head.alternatives });
  for (const value of head.conditions.difference(base.conditions)) {
    tell("condition-added", { value });
  }
  for (const value of base.conditions.difference(head.conditions)) {
    tell("condition-removed", { value });
  }
  for (const key of keysOf(base.rest, head.rest)) {
    const [before, after] = [canonical(base.rest[key]), canonical(head.rest[key])];
    if (before !== after) {
      tell("keyword-changed", { value: key, before, after });
    }
  }
}

/** A single list is compared with a single list by its members. Otherwise whole lists are new or gone. */
function compareAlternatives(tell: SchemaWalk["tell"], { base, head }: Pair<SchemaView["alternatives"]>): void {
  const print = (one: ReadonlySet<string>): string => `one of ${[...one].sort().join(", ")}`;
  const [before, after] = [new Set(base.map(print)), new Set(head.map(print))];
  const [gone, fresh] = [base.filter((one) => !after.has(print(one))), head.filter((one) => !before.has(print(one)))];
  const [was, is] = [gone[0], fresh[0]];
  if (was && is && gone.length === 1 && fresh.length === 1) {
    is.difference(was).forEach((value) => tell("alternative-added", { value }));
    was.difference(is).forEach((value) => tell("alternative-removed", { value }));
    return;
  }
  gone.forEach((one) => tell("condition-removed", { value: print(one) }));
  fresh.forEach((one) => tell("condition-added", { value: print(one) }));
}
