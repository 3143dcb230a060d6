import { compareBody } from "./compare-body.ts";
import { compareParameters } from "./compare-parameters.ts";
import { comparePolicies, policyKeys } from "./compare-policies.ts";
import { compareResponses } from "./compare-responses.ts";
import { compareRest, compareTexts } from "./compare-rest.ts";
import { compareOwnServers } from "./compare-servers.ts";
import { compareSecurity } from "./compare-security.ts";
import type { Change, ChangeLocation } from "./change.ts";
import { pathTexts, readOperations, type Operation } from "./read-operations.ts";
import type { Side } from "./side.ts";
import { createScope, tellSwitch, type Pair, type Scope } from "./scope.ts";

const texts: readonly string[] = ["tags", "summary", "description", "externalDocs", pathTexts];
/** The origin of an event is documentation for its readers: no address depends on it. */
const textsOfEvents: readonly string[] = [...texts, "x-service", "x-cause"];
const judged: readonly string[] = [
  ...policyKeys,
  ...["operationId", "parameters", "requestBody", "responses", "security", "deprecated", "servers"],
];

export function compareOperations(sides: Pair<Side>, file: string, section: "paths" | "webhooks"): Change[] {
  const changes: Change[] = [];
  const base = readOperations(sides.base.document, section);
  const head = readOperations(sides.head.document, section);
  for (const [key, operation] of base) {
    const scope = createScope(sides, placeOf(operation, file, section), changes);
    const next = head.get(key);
    if (next) {
      compareOperation(scope, { base: operation, head: next });
    } else if (section === "webhooks") {
      scope.tell({ rule: "event-type-removed", anchor: operation.name });
    } else {
      const moved = [...head.values()].find(({ name }) => name === operation.name);
      const after = moved ? `, it is ${moved.address} now` : "";
      scope.tell({ rule: "operation-removed", anchor: operation.name, before: operation.address, after });
    }
  }
  for (const [key, operation] of head) {
    if (!base.has(key)) {
      const rule = section === "webhooks" ? "event-type-added" : "operation-added";
      const scope = createScope(sides, placeOf(operation, file, section), changes);
      scope.tell({ rule, anchor: operation.name, after: operation.address });
    }
  }
  return changes;
}

function compareOperation(scope: Scope, { base, head }: Pair<Operation>): void {
  const values = { base: base.operation, head: head.operation };
  const anchor = base.name;
  if (values.base["operationId"] !== values.head["operationId"]) {
    scope.tell({ rule: "operation-renamed", anchor, after: head.name });
  }
  const isDeprecated = { base: values.base["deprecated"] === true, head: values.head["deprecated"] === true };
  tellSwitch(scope, isDeprecated, { anchor, on: "operation-deprecated", off: "operation-undeprecated" });
  compareParameters(scope, { base, head });
  compareBody(scope, values);
  compareResponses(scope, values);
  compareOwnServers(scope, values);
  compareSecurity(scope, values);
  comparePolicies(scope, values, base.path);
  const words = scope.place.kind === "event" ? textsOfEvents : texts;
  compareTexts(scope, values, words, { anchor });
  compareRest(scope, values, [...judged, ...words], { anchor });
}

function placeOf(operation: Operation, file: string, section: "paths" | "webhooks"): ChangeLocation {
  const kind = section === "paths" ? "operation" : "event";
  return { document: file, kind, name: operation.name, address: operation.address, at: "" };
}
