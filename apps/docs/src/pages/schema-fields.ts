import { resolve, type OpenApi, type Schema } from "../reference/open-api.ts";

export type Field = {
  /** The name with its parents: `data.object.id`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
};

export function listFields(openapi: OpenApi, schema: Schema, prefix = ""): Field[] {
  const whole = resolve(openapi, schema);
  const required = new Set(whole.required);
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => {
    const found = flatten(openapi, property);
    const field = {
      name: prefix + name,
      type: typeName(openapi, found),
      isRequired: required.has(name),
      description: found.description ?? "",
    };
    const inner = found.items ? flatten(openapi, found.items) : found;
    return [field, ...listFields(openapi, inner, `${field.name}${found.items ? "[]" : ""}.`)];
  });
}

/** Resolves references, including those in `allOf`. Unwraps the schema of a nullable value. */
function flatten(openapi: OpenApi, schema: Schema): Schema {
  const { allOf = [], ...whole } = resolve(openapi, schema);
  // All merged values are schemas.
  const found = Object.assign({}, ...allOf.map((part) => flatten(openapi, part)), whole) as Schema;
  const [only, ...more] = (found.anyOf ?? found.oneOf ?? []).filter((one) => one.type !== "null");
  if (only === undefined || more.length > 0) {
    return found;
  }
  const { anyOf: _, oneOf: __, ...own } = found;
  const inner = resolve(openapi, only);
  return { ...inner, ...own, type: [...[inner.type ?? []].flat(), "null"] };
}

/** For people: `string`, `integer or null`, `"EUR", "USD"`. */
export function typeName(openapi: OpenApi, schema: Schema): string {
  const found = flatten(openapi, schema);
  if (found.const !== undefined) {
    return `"${found.const}"`;
  }
  const names = [found.type ?? "any"].flat();
  if (found.enum) {
    const values = found.enum.map((value) => JSON.stringify(value)).join(", ");
    return `${values}${found["x-extensible"] ? ", or one of later" : ""}${names.includes("null") ? ", or null" : ""}`;
  }
  return names
    .map((name) => (name === "array" && found.items ? `array of ${typeName(openapi, found.items)}` : name))
    .map((name) => (name === "string" && found.format === "date-time" ? "timestamp" : name))
    .join(" or ");
}

/** A Markdown table. A pipe in a cell would end the cell. */
export function fieldsTable(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, isRequired, description }) =>
      `| \`${name}\` | ${cell(type)}${isRequired ? "" : ", optional"} | ${cell(firstParagraph(description))} |`,
  );
  return ["| Field | Type | Meaning |", "|---|---|---|", ...rows].join("\n");
}

function firstParagraph(text: string): string {
  return text.split(/\n\s*\n/)[0] ?? "";
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
