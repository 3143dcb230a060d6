import type { SchemaWalk } from "./schema-walk.ts";
import { nameTypes } from "./compare-types.ts";
import { canonical, type Json } from "./json.ts";
import { dereference } from "./resolve.ts";
import type { Pair } from "./scope.ts";
import type { Side } from "./side.ts";
import type { SchemaView } from "./view-schema.ts";

type Form = { schema: Json; name: string; constants: string; shape: string; types: string };

/**
 * Pairs the forms of `oneOf` and `anyOf` by their shape, then by the component or constant that names them, then by
 * type. The remaining forms were removed or are new.
 */
export function compareForms(walk: SchemaWalk, views: Pair<SchemaView>, pair: Pair): void {
  const base = listForms(walk.scope.sides.base, views.base, pair.base);
  const head = listForms(walk.scope.sides.head, views.head, pair.head);
  compareKeyword(walk, views, [...base, ...head]);
  for (const key of ["shape", "name", "types"] as const) {
    for (const form of [...base]) {
      const twin = head.find((other) => other[key] === form[key] && form[key] !== "");
      if (twin) {
        base.splice(base.indexOf(form), 1);
        head.splice(head.indexOf(twin), 1);
        walk.into("", { base: form.schema, head: twin.schema });
      }
    }
  }
  base.forEach(({ name, types }) => walk.tell("form-removed", { value: name || types }));
  head.forEach(({ name, types }) => walk.tell("form-added", { value: name || types }));
}

/** `oneOf` and `anyOf` differ only when a value may fit two forms: constants and types distinguish the forms. */
function compareKeyword({ tell }: SchemaWalk, { base, head }: Pair<SchemaView>, forms: readonly Form[]): void {
  const isExclusive =
    forms.every(({ constants }) => constants !== "") ||
    new Set(forms.map(({ types }) => types)).size * 2 === forms.length;
  if (base.formsKeyword && head.formsKeyword && base.formsKeyword !== head.formsKeyword && !isExclusive) {
    tell(head.formsKeyword === "anyOf" ? "forms-joined" : "forms-parted");
  }
}

function listForms(side: Side, view: SchemaView, schema: Json | undefined): Form[] {
  const forms = view.forms.length > 0 ? view.forms : [schema ?? {}];
  return forms.map((form) => {
    const formView = side.view(form);
    const constants = [...formView.fields].flatMap(([name, field]) => nameConstant(side, name, field)).join(",");
    return {
      schema: form,
      constants,
      name: constants || (formView.component ?? ""),
      shape: canonical(dereference(side.document, form)),
      types: nameTypes(formView),
    };
  });
}

function nameConstant(side: Side, name: string, field: Json): string[] {
  const { values } = side.view(field);
  return values?.size === 1 ? [`${name}=${[...values].join()}`] : [];
}
