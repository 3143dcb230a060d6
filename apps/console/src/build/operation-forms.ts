import { openapi, type OpenApiDocument } from "@gateway/contract";
import type { FormParameter, FormSchema, Json, OperationForm } from "./form-schema.ts";

type Schema = Readonly<Record<string, unknown>>;
type Reference = { $ref?: string };
type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: Json;
};
type Example = { value?: Json; summary?: string };
type Media = { schema?: Schema; examples?: Record<string, Example & Reference> };
type Body = { required?: boolean; content: Record<string, Media> };
type Operation = {
  operationId?: string;
  tags?: string[];
  description?: string;
  parameters?: (Parameter & Reference)[];
  requestBody?: Body & Reference;
};

/** The form of each operation of the document, by its id. */
export function operationForms(document: OpenApiDocument = openapi()): Map<string, OperationForm> {
  const forms = new Map<string, OperationForm>();
  for (const item of Object.values(document.paths)) {
    // The document is linted, so the parameters that the operations of an item share are a list of parameters.
    const shared = (item["parameters"] ?? []) as NonNullable<Operation["parameters"]>;
    // Only operations have an `operationId`, and no other property of the other values is read.
    for (const operation of Object.values(item) as Operation[]) {
      if (operation.operationId !== undefined) {
        forms.set(operation.operationId, formOf(document, operation, shared));
      }
    }
  }
  return forms;
}

function formOf(
  document: OpenApiDocument,
  { operationId = "", tags = [], description, parameters = [], requestBody }: Operation,
  shared: NonNullable<Operation["parameters"]>,
): OperationForm {
  const body = requestBody && resolve(document, requestBody);
  const media = body?.content["application/json"];
  return {
    about: firstParagraph(description),
    // An address that the documentation keeps (apps/docs/src/reference/operation-anchor.ts).
    reference: `/reference/gateway/tags/${slugOf(tags[0] ?? "")}.html#${operationId.toLowerCase()}`,
    parameters: [...shared, ...parameters].flatMap((one) => parameterOf(document, resolve(document, one))),
    body: media
      ? {
          isRequired: body?.required ?? false,
          schema: formSchemaOf(document, media.schema ?? {}),
          examples: Object.entries(media.examples ?? {}).flatMap(([name, example]) => {
            const { value, summary } = resolve(document, example);
            return value === undefined ? [] : [{ name: summary ?? name, value }];
          }),
        }
      : null,
  };
}

function parameterOf(document: OpenApiDocument, one: Parameter): FormParameter[] {
  const { name, in: place, required = false, description, schema = {}, example } = one;
  if (place !== "path" && place !== "query" && place !== "header") {
    return [];
  }
  const { about, ...form } = formSchemaOf(document, schema);
  const shown = example ?? form.start;
  return [
    {
      name,
      in: place,
      isRequired: required,
      about: firstParagraph(description) || (about ?? ""),
      schema: form,
      example: shown === undefined ? "" : typeof shown === "string" ? shown : JSON.stringify(shown),
    },
  ];
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** The depth to which a form is read; deeper parts are JSON. A schema that refers to itself ends there too. */
const deepest = 8;

/** The control of a schema. Keywords that only restrict a value are left out. */
export function formSchemaOf(document: OpenApiDocument, given: Schema, depth = 0): FormSchema {
  const schema = resolve(document, given);
  const about = firstParagraph(textOr(given["description"]) ?? textOr(schema["description"]));
  const start = startOf(given) ?? startOf(schema);
  return {
    ...(about !== "" && { about }),
    ...(start !== undefined && { start }),
    ...controlOf(document, schema, depth),
  };
}

function controlOf(document: OpenApiDocument, schema: Schema, depth: number): FormSchema {
  // The cast holds because every subschema is a schema.
  const inner = (one: unknown): FormSchema => formSchemaOf(document, (one ?? {}) as Schema, depth + 1);
  const listed = "const" in schema ? [schema["const"]] : schema["enum"];
  if (Array.isArray(listed)) {
    // The cast holds unless a value is an object or an array, which the next line finds.
    const options = listed.filter((value) => value !== null) as (string | number | boolean)[];
    const isPlain = options.every((value) => typeof value !== "object");
    const choice: FormSchema = isPlain ? { kind: "choice", values: options } : { kind: "json" };
    return withNull(listed.includes(null), options.length === 0 ? null : choice);
  }
  const { type, allOf } = schema;
  const variants = schema["oneOf"] ?? schema["anyOf"];
  if (depth >= deepest) {
    return { kind: "json" };
  }
  if (Array.isArray(variants)) {
    return { kind: "union", options: variants.map(inner) };
  }
  if (Array.isArray(allOf)) {
    return allOf.length === 1 ? inner(allOf[0]) : { kind: "json" };
  }
  if (Array.isArray(type)) {
    return { kind: "union", options: type.map((one) => inner({ ...schema, type: one })) };
  }
  switch (type) {
    case "object":
      return objectOf(schema, inner);
    case "array":
      return { kind: "list", items: inner(schema["items"]) };
    case "string":
      return { kind: "text", ...(schema["writeOnly"] === true && { isSecret: true }) };
    case "integer":
    case "number": {
      const { minimum } = schema;
      return { kind: "number", ...(typeof minimum === "number" && { minimum }) };
    }
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "nothing" };
    default:
      return { kind: "json" };
  }
}

function objectOf(schema: Schema, inner: (one: unknown) => FormSchema): FormSchema {
  const { properties, additionalProperties, required } = schema;
  if (properties === undefined && typeof additionalProperties === "object") {
    return { kind: "map", values: inner(additionalProperties) };
  }
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return {
    kind: "object",
    // The cast holds by JSON Schema.
    properties: Object.entries((properties ?? {}) as Record<string, Schema>)
      .filter(([, property]) => property["readOnly"] !== true)
      .map(([name, property]) => ({ name, isRequired: needed.has(name), schema: inner(property) })),
  };
}

function withNull(isNullable: boolean, schema: FormSchema | null): FormSchema {
  const nothing: FormSchema = { kind: "nothing" };
  return schema === null ? nothing : isNullable ? { kind: "union", options: [schema, nothing] } : schema;
}

function startOf({ example, examples, default: usual }: Schema): Json | undefined {
  const [first]: unknown[] = Array.isArray(examples) ? examples : [];
  // The cast holds because the document is JSON.
  return (example ?? first ?? usual) as Json | undefined;
}

function resolve<Value extends object>(document: OpenApiDocument, value: Value & Reference): Value {
  let found: Value & Reference = value;
  while (found.$ref !== undefined) {
    const [, , kind = "", name = ""] = found.$ref.split("/");
    // The cast holds because the document's linter ensures that a reference names an existing part.
    found = document.components[kind]?.[name] as Value & Reference;
  }
  return found;
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The part of a description that fits a form. The reference has the rest. */
function firstParagraph(text = ""): string {
  return (text.trim().split(/\n\s*\n/, 1)[0] ?? "").replaceAll(/\s*\n\s*/g, " ");
}
