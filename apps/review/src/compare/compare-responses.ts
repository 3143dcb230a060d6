import { compareContent } from "./compare-content.ts";
import { compareHeaders } from "./compare-headers.ts";
import { compareRest, compareTexts } from "./compare-rest.ts";
import { keysOf, objectOf, type JsonObject } from "./json.ts";
import { resolve } from "./resolve.ts";
import type { RuleName } from "./rules.ts";
import { isSame, nameThing, type Pair, type Scope, type Trail } from "./scope.ts";

/** Responses to a caller. The responses of an event are those that its receiver may send. */
export function compareResponses(scope: Scope, operations: Pair<JsonObject>): void {
  const base = objectOf(operations.base["responses"]);
  const head = objectOf(operations.head["responses"]);
  for (const status of keysOf(base, head)) {
    if (base[status] === undefined || head[status] === undefined) {
      const rule = ruleOf(scope, status, head[status] !== undefined);
      scope.tell({ rule, anchor: scope.place.name, value: status });
    } else if (!isSame(scope, { base: base[status], head: head[status] })) {
      compareResponse(scope, { base: base[status], head: head[status] }, status);
    }
  }
}

function ruleOf(scope: Scope, status: string, isThere: boolean): RuleName {
  if (scope.place.kind === "event") {
    return isThere ? "answer-status-added" : "answer-status-removed";
  }
  if (isThere) {
    return "status-added";
  }
  return /^[23]/.test(status) ? "success-status-removed" : "error-status-removed";
}

function compareResponse(scope: Scope, pair: Pair, status: string): void {
  const base = resolve(scope.documents.base, pair.base);
  const head = resolve(scope.documents.head, pair.head);
  const values = { base: base.value, head: head.value };
  const trail: Trail = {
    anchor: nameThing(scope, { base: base.component, head: head.component }, `${scope.place.name}.${status}`),
    at: scope.place.kind === "event" ? `answer ${status}` : `response ${status}`,
    channel: scope.place.kind === "event" ? "answer" : "response",
  };
  const where = { anchor: trail.anchor, at: trail.at };
  compareHeaders(scope, { base: values.base["headers"], head: values.head["headers"] }, trail);
  compareContent(scope, { base: values.base["content"], head: values.head["content"] }, trail);
  compareTexts(scope, values, ["description", "summary"], where);
  compareRest(scope, values, ["headers", "content", "description", "summary"], where);
}
