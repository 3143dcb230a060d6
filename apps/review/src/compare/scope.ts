import type { Change, ChangeLocation } from "./change.ts";
import type { Channel } from "./rules.ts";
import type { JsonObject, Json } from "./json.ts";
import { hasComponent } from "./resolve.ts";
import type { RuleName } from "./rules.ts";
import type { Side } from "./side.ts";

/** The base's and the head's version of one value. */
export type Pair<Value = Json | undefined> = { base: Value; head: Value };

/** The context of a comparison: the two documents, the place in them, and where to report changes. */
export type Scope = {
  sides: Pair<Side>;
  documents: Pair<JsonObject>;
  place: ChangeLocation;
  tell(change: Omit<Change, "place"> & { at?: string }): void;
};

/** The name of the compared part, and where in the operation or event it is. */
export type Trail = { anchor: string; at: string; channel: Channel };

export function createScope(sides: Pair<Side>, place: ChangeLocation, changes: Change[]): Scope {
  return {
    sides,
    documents: { base: sides.base.document, head: sides.head.document },
    place,
    tell: ({ at, ...change }) => changes.push({ ...change, place: { ...place, at: at ?? place.at } }),
  };
}

/** Whether both sides mean the same, so that nothing needs to be compared. */
export function isSame({ sides }: Scope, { base, head }: Pair): boolean {
  return sides.base.print(base) === sides.head.print(head);
}

export function step(trail: Trail, suffix: string): Trail {
  return { ...trail, anchor: trail.anchor + suffix, at: trail.at + suffix };
}

/** Reports that something became true or false. */
export function tellSwitch(
  scope: Scope,
  state: Pair<boolean>,
  change: { on: RuleName; off: RuleName; anchor: string; at?: string },
): void {
  if (state.base !== state.head) {
    const { on, off, ...rest } = change;
    scope.tell({ ...rest, rule: state.head ? on : off });
  }
}

/** Names a part by the component that both sides use. With another component, the place itself changed. */
export function nameThing(scope: Scope, { base, head }: Pair<string | null>, inPlace: string): string {
  const isSame = base !== null && head !== null && (base === head || !hasComponent(scope.documents.head, base));
  return isSame ? base : inPlace;
}
