import { camel, type Parent, type Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

const cases = "packages/platform/test/plans";
const migrations = "packages/schema/src/migrations";

/** Writes the cases that measure a list under a resource, and the rows that it is measured on. */
export function writePlans(tree: Tree, plan: Plan): void {
  const { nouns, under, operationId } = plan;
  const row = `  ${operationId}: "${nouns.replaceAll("-", " ")}${under ? " of" : ":"} ",\n`;
  tree.edit(`${cases}/every-list.test.ts`, /(?<=^const casesOf[^]*?)(?=^\};$)/m, row);
  if (under) {
    tree.edit(`${cases}/parts.ts`, /(?<=^const parts: [^]*?)(?=^\];$)/m, partOf(tree, plan, under));
  }
}

function partOf(tree: Tree, { service, names, table, prefix }: Plan, under: Parent): string {
  const columns = columnsOf(tree, table).filter(({ name }) => name !== under.column);
  return `  {
    table: "${table}",
    prefix: "${prefix}",
    of: { noun: "${under.words}", prefix: "${under.prefix}" },
    columns: { ${columns.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`).join(", ")} },
    list: ({ ${camel(service)} }, ${under.parameter}, page) => ${camel(service)}.${names}.list({ ${under.parameter}, ...page }),
  },
`;
}

const valuesOf: Readonly<Record<string, string>> = {
  bigint: "1",
  bytea: "'x'",
  int: "1",
  boolean: "false",
  jsonb: "'{}'",
  timestamptz: "now()",
};

/** The columns that may not be null, with a value that Postgres takes. A check that refuses it is for a person. */
function columnsOf(tree: Tree, table: string): { name: string; value: string }[] {
  const texts = tree.list(migrations).map((file) => tree.read(`${migrations}/${file}`));
  const start = `create table ${table} (`;
  const text = texts.find((one) => one.includes(start)) ?? "";
  const [body = ""] = text.slice(text.indexOf(start) + start.length).split(/^ {2}\)/m);
  const lines = body.matchAll(/^ {4}(\w+) (\S+) (not null.*?),?$/gm);
  return Array.from(lines, ([, name = "", type = "", rest = ""]) => {
    const [, allowed = "'x'"] = / in \(('[^']*')/.exec(rest) ?? [];
    return { name, value: valuesOf[type] ?? allowed };
  }).filter(({ name }) => !["account_id", "id", "created_at"].includes(name));
}
