import { compareContent } from "./compare-content.ts";
import { compareRest, compareTexts } from "./compare-rest.ts";
import { compareSchema } from "./compare-schema.ts";
import { nameSchema } from "./compare-types.ts";
import { keysOf, objectOf, type Json, type JsonObject } from "./json.ts";
import { resolve } from "./resolve.ts";
import { nameThing, tellSwitch, type Pair, type Scope, type Trail } from "./scope.ts";

const texts: readonly string[] = ["description", "example", "examples"];
const judged: readonly string[] = [...texts, "required", "schema", "content", "deprecated"];

export function compareHeaders(scope: Scope, pair: Pair, trail: Trail): void {
  const headers = { base: byLowerCase(pair.base), head: byLowerCase(pair.head) };
  for (const name of keysOf(headers.base, headers.head)) {
    const [base, head] = [headers.base[name], headers.head[name]];
    if (base === undefined || head === undefined) {
      const rule = base === undefined ? "header-added" : "header-removed";
      const where = { anchor: `${trail.anchor}.header.${name}`, at: `${trail.at}, header ${name}` };
      const [before, after] = [nameHeader(scope, "base", base), nameHeader(scope, "head", head)];
      scope.tell({ rule, ...where, ...(base === undefined ? { after } : { before }) });
    } else {
      compareHeader(scope, { base, head }, { ...trail, at: `${trail.at}, header ${name}` }, name);
    }
  }
}

function compareHeader(scope: Scope, pair: Pair<Json>, trail: Trail, name: string): void {
  const base = resolve(scope.documents.base, pair.base);
  const head = resolve(scope.documents.head, pair.head);
  const here: Trail = {
    ...trail,
    anchor: nameThing(scope, { base: base.component, head: head.component }, `${trail.anchor}.header.${name}`),
  };
  const where = { anchor: here.anchor, at: here.at };
  const values = { base: base.value, head: head.value };
  const isRequired = { base: values.base["required"] === true, head: values.head["required"] === true };
  tellSwitch(scope, isRequired, { ...where, on: "header-required", off: "header-optional" });
  if (values.base["content"] !== undefined || values.head["content"] !== undefined) {
    compareContent(scope, { base: values.base["content"], head: values.head["content"] }, here);
  } else {
    compareSchema(scope, { base: values.base["schema"], head: values.head["schema"] }, here);
  }
  compareTexts(scope, values, texts, where);
  compareRest(scope, values, judged, where);
}

function nameHeader({ sides }: Scope, side: keyof Pair, header: Json | undefined): string {
  const { schema } = resolve(sides[side].document, header).value;
  return nameSchema(sides[side].view(schema));
}

function byLowerCase(headers: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(headers)).map(([name, header]) => [name.toLowerCase(), header]));
}
