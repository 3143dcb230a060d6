import { compareContent } from "./compare-content.ts";
import { compareRest, compareTexts } from "./compare-rest.ts";
import { compareSchema } from "./compare-schema.ts";
import { nameSchema } from "./compare-types.ts";
import { isProof } from "./proofs.ts";
import type { Operation, Parameter } from "./read-operations.ts";
import { textOf } from "./json.ts";
import { nameThing, tellSwitch, type Pair, type Scope, type Trail } from "./scope.ts";

const texts: readonly string[] = ["description", "example", "examples"];
const encodings: readonly string[] = ["style", "explode", "allowReserved", "allowEmptyValue"];
const judged: readonly string[] = [
  ...texts,
  ...encodings,
  ...["name", "in", "required", "schema", "content", "deprecated"],
];

/** Parameters of a request, outside its body. The parameters of an event are the headers that a receiver reads. */
export function compareParameters(scope: Scope, operations: Pair<Operation>): void {
  const keys = new Set([...operations.base.parameters.keys(), ...operations.head.parameters.keys()]);
  for (const key of keys) {
    const base = operations.base.parameters.get(key);
    const head = operations.head.parameters.get(key);
    if (base && head) {
      compareParameter(scope, { base, head });
    } else if (head) {
      tellAdded(scope, head);
    } else if (base) {
      tellRemoved(scope, base);
    }
  }
}

function tellAdded(scope: Scope, parameter: Parameter): void {
  const where = { ...whereIs(scope, parameter), after: nameSchema(scope.sides.head.view(parameter.value["schema"])) };
  if (isEvent(scope)) {
    scope.tell({ rule: "event-header-added", ...where });
  } else if (parameter.value["required"] === true) {
    scope.tell({ rule: "required-parameter-added", ...where });
  } else if (isIdempotencyKey(parameter)) {
    scope.tell({ rule: "idempotency-key-added", ...where, anchor: scope.place.name });
  } else {
    scope.tell({ rule: "parameter-added", ...where });
  }
}

function tellRemoved(scope: Scope, parameter: Parameter): void {
  const where = { ...whereIs(scope, parameter), before: nameSchema(scope.sides.base.view(parameter.value["schema"])) };
  if (isEvent(scope)) {
    scope.tell({ rule: "event-header-removed", ...where });
  } else if (isIdempotencyKey(parameter)) {
    scope.tell({ rule: "idempotency-key-removed", ...where, anchor: scope.place.name });
  } else {
    scope.tell({ rule: "parameter-removed", ...where });
  }
}

function compareParameter(scope: Scope, pair: Pair<Parameter>): void {
  const where = whereIs(scope, pair.base, pair.head);
  const values = { base: pair.base.value, head: pair.head.value };
  tellSwitch(scope, isTrue(pair, "required"), {
    ...where,
    ...(isEvent(scope)
      ? { on: "event-header-required", off: "event-header-optional" }
      : { on: "parameter-required", off: isProof(where.at) ? "proof-optional" : "parameter-optional" }),
  });
  tellSwitch(scope, isTrue(pair, "deprecated"), {
    ...where,
    on: "parameter-deprecated",
    off: "parameter-undeprecated",
  });
  if (pair.base.name.toLowerCase() !== pair.head.name.toLowerCase()) {
    scope.tell({ rule: "parameter-renamed", ...where, after: pair.head.name });
  }
  compareEncoding(scope, pair, where);
  compareTexts(scope, values, texts, where);
  compareRest(scope, values, judged, where);
  const trail: Trail = { ...where, channel: isEvent(scope) ? "event" : "request" };
  if (values.base["content"] !== undefined || values.head["content"] !== undefined) {
    compareContent(scope, { base: values.base["content"], head: values.head["content"] }, trail);
  } else {
    compareSchema(scope, { base: values.base["schema"], head: values.head["schema"] }, trail);
  }
}

function compareEncoding(scope: Scope, pair: Pair<Parameter>, where: { anchor: string; at: string }): void {
  const [base, head] = [encodingOf(scope, "base", pair.base), encodingOf(scope, "head", pair.head)];
  const [before, after] = [base.join(" "), head.join(" ")];
  if (before === after) {
    return;
  }
  if (base.every((word) => head.includes(word)) && !isEvent(scope)) {
    scope.tell({ rule: "parameter-encoding-relaxed", ...where, before, after });
  } else {
    const rule = isEvent(scope) ? "event-header-encoding-changed" : "parameter-encoding-changed";
    scope.tell({ rule, ...where, before, after });
  }
}

/** Applies OpenAPI's defaults, so that writing one out is not a change. Only lists and objects can be exploded. */
function encodingOf(scope: Scope, side: keyof Pair, { in: place, value }: Parameter): string[] {
  const style = textOf(value["style"]) ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = value["explode"] ?? style === "form";
  const flags = ["allowReserved", "allowEmptyValue"].filter((flag) => value[flag] === true);
  const { types } = scope.sides[side].view(value["schema"]);
  const isSingle = types !== null && !types.has("array") && !types.has("object");
  return [style, ...(isSingle ? [] : [explode === true ? "exploded" : "joined"]), ...flags];
}

function isTrue(pair: Pair<Parameter>, key: string): Pair<boolean> {
  return { base: pair.base.value[key] === true, head: pair.head.value[key] === true };
}

function whereIs(scope: Scope, base: Parameter, head: Parameter = base): { anchor: string; at: string } {
  const components = { base: base.component, head: head.component };
  const inPlace = `${scope.place.name}.${base.in}.${base.name}`;
  return { anchor: nameThing(scope, components, inPlace), at: `${base.in} ${base.name}` };
}

function isEvent(scope: Scope): boolean {
  return scope.place.kind === "event";
}

function isIdempotencyKey(parameter: Parameter): boolean {
  return parameter.in === "header" && parameter.name.toLowerCase() === "idempotency-key";
}
