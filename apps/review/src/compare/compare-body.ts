import { compareContent } from "./compare-content.ts";
import { compareRest, compareTexts } from "./compare-rest.ts";
import { isObject, type JsonObject } from "./json.ts";
import { resolve } from "./resolve.ts";
import { tellSwitch, type Pair, type Scope } from "./scope.ts";

export function compareBody(scope: Scope, operations: Pair<JsonObject>): void {
  const { base, head } = operations;
  const isEvent = scope.place.kind === "event";
  const anchor = scope.place.name;
  const values = {
    base: resolve(scope.documents.base, base["requestBody"]).value,
    head: resolve(scope.documents.head, head["requestBody"]).value,
  };
  const isRequired = { base: values.base["required"] === true, head: values.head["required"] === true };
  if (!isObject(base["requestBody"]) || !isObject(head["requestBody"])) {
    tellPresence(scope, { base: isObject(base["requestBody"]), head: isObject(head["requestBody"]) }, isRequired.head);
    return;
  }
  tellSwitch(scope, isRequired, {
    anchor,
    at: "body",
    ...(isEvent
      ? { on: "event-body-required", off: "event-body-optional" }
      : { on: "body-required", off: "body-optional" }),
  });
  const trail = { anchor: `${anchor}.body`, at: "", channel: isEvent ? "event" : "request" } as const;
  compareContent(scope, { base: values.base["content"], head: values.head["content"] }, trail);
  compareTexts(scope, values, ["description"], { anchor, at: "body" });
  compareRest(scope, values, ["required", "content", "description"], { anchor, at: "body" });
}

function tellPresence(scope: Scope, isThere: Pair<boolean>, isRequired: boolean): void {
  const isEvent = scope.place.kind === "event";
  tellSwitch(scope, isThere, {
    anchor: scope.place.name,
    at: "body",
    ...(isEvent
      ? { on: "event-body-required", off: "event-body-optional" }
      : { on: isRequired ? "required-body-added" : "body-added", off: "body-removed" }),
  });
}
