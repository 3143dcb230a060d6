import { compareRest, compareTexts } from "./compare-rest.ts";
import { compareSchema } from "./compare-schema.ts";
import type { Channel } from "./rules.ts";
import { keysOf, objectOf, type Json, type JsonObject } from "./json.ts";
import { resolve } from "./resolve.ts";
import type { RuleName } from "./rules.ts";
import type { Pair, Scope, Trail } from "./scope.ts";

const rulesOf: Readonly<Record<Channel, { added: RuleName; removed: RuleName }>> = {
  request: { added: "media-type-added", removed: "media-type-removed" },
  response: { added: "response-media-type-added", removed: "response-media-type-removed" },
  event: { added: "event-media-type-added", removed: "event-media-type-removed" },
  answer: { added: "media-type-added", removed: "media-type-removed" },
};

export function compareContent(scope: Scope, pair: Pair, trail: Trail): void {
  const [base, head] = [byType(pair.base), byType(pair.head)];
  for (const type of keysOf(base, head)) {
    const where = { anchor: trail.anchor, at: trail.at };
    if (base[type] === undefined || head[type] === undefined) {
      const rule = rulesOf[trail.channel][base[type] === undefined ? "added" : "removed"];
      scope.tell({ rule, ...where, value: type });
      continue;
    }
    const values = {
      base: resolve(scope.documents.base, base[type]).value,
      head: resolve(scope.documents.head, head[type]).value,
    };
    compareSchema(scope, { base: values.base["schema"], head: values.head["schema"] }, bodyOf(trail));
    compareTexts(scope, values, ["example", "examples"], where);
    compareRest(scope, values, ["schema", "example", "examples"], where);
  }
}

/** A body without a component is named after what it belongs to: `listWallets 200`. */
function bodyOf(trail: Trail): Trail {
  return { ...trail, at: trail.at === "" ? "body" : `${trail.at}, body` };
}

/** Names of media types have no case, and UTF-8 is what JSON is written in anyway (RFC 8259, 8.1). */
function byType(content: Json | undefined): JsonObject {
  const nameOf = (type: string): string =>
    type
      .toLowerCase()
      .replaceAll(/\s*;\s*/g, ";")
      .replace(/;charset="?utf-8"?/, "");
  return Object.fromEntries(Object.entries(objectOf(content)).map(([type, one]) => [nameOf(type), one]));
}
