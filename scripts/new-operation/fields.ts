import { Refusal, type Tree } from "./tree.ts";

/** A field whose schema the document has already. */
export type Field = {
  name: string;
  column: string;
  /** Its schema, from a schema of the service: `../shared/Currency.yaml`. */
  ref: string;
  /** The schema's first example, in YAML. */
  example: string;
  /** Its type in the code, and in Postgres within a migration. */
  type: string;
  sql: string;
};

const schemas = "openapi/components/schemas";

/** Reads `amount:PaymentAmount,currency:Currency`. The service's schema comes before others of the same name. */
export function readFields(text: string | undefined, known: { option: string; service: string; tree: Tree }): Field[] {
  return (text?.split(",") ?? []).map((each) => {
    const [, name, schema] = /^([a-z][A-Za-z0-9]*):([A-Z][A-Za-z0-9]*)$/.exec(each) ?? [];
    if (name === undefined || schema === undefined) {
      throw new Refusal(
        `--${known.option} has "${each}" and must be names and schemas, such as amount:PaymentAmount,currency:Currency.`,
      );
    }
    return fieldOf(name, schema, known);
  });
}

function fieldOf(name: string, schema: string, { service, tree }: { service: string; tree: Tree }): Field {
  const folder = [service, "shared", ...tree.list(schemas)].find((one) => tree.has(`${schemas}/${one}/${schema}.yaml`));
  if (folder === undefined) {
    throw new Refusal(`The document has no schema ${schema} for ${name}: add it first.`);
  }
  const text = tree.read(`${schemas}/${folder}/${schema}.yaml`);
  const [, example] = /^examples: \[("(?:[^"\\]|\\.)*"|[^,\]{[]+)/m.exec(text) ?? [];
  const [, kind] = /^type: (integer|string)$/m.exec(text) ?? [];
  if (example === undefined || kind === undefined || /^format: date/m.test(text)) {
    throw new Refusal(`${schema} is not a text or a whole number with an example: write ${name} by hand.`);
  }
  const isNumber = kind === "integer";
  return {
    name,
    column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ref: folder === service ? `${schema}.yaml` : `../${folder}/${schema}.yaml`,
    example,
    type: isNumber ? "number" : `Schemas["${schema}"]`,
    sql: isNumber ? "bigint" : schema.endsWith("Id") ? "${id}" : "text",
  };
}
