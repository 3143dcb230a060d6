import { camel, type Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

const platform = "packages/platform/src";
const schema = "packages/schema/src";
const operations = "apps/gateway/src/operations";

/**
 * The operation and what it calls. What only a person can know is left out, so that the type-check or a test asks for
 * it.
 */
export function writeCode(tree: Tree, plan: Plan): void {
  addOperation(tree, plan);
  if (!tree.has(`${platform}/${plan.service}/${plan.noun}.ts`)) {
    addNoun(tree, plan);
    addMigration(tree, plan);
  }
  addTests(tree, plan);
}

function addOperation(tree: Tree, { service, operationId, ...plan }: Plan): void {
  const folder = `${operations}/${service}`;
  const file = fileOf(operationId);
  tree.add(`${folder}/${file}.ts`, operationOf({ service, operationId, ...plan }));
  const exported = `export { ${operationId} } from "./${file}.ts";\n`;
  tree.edit(`${folder}/index.ts`, /(?=^export)/m, exported);
}

function operationOf({ service, operationId, verb, name, names, Noun, words, status, ...plan }: Plan): string {
  const store = `${camel(service)}.${names}`;
  const declared = `export const ${operationId}: OperationHandler<"${operationId}"> =`;
  const imports = `import { present${Noun} } from "@gateway/platform/${service}";\nimport type { OperationHandler } from "../operation.ts";\n`;
  if (verb === "list") {
    return `${imports}import { answerPage } from "../answer.ts";

${declared} answerPage((query, { ${camel(service)} }) => ${store}.list(query), present${Noun});
`;
  }
  if (plan.isById) {
    const [input, body] = plan.hasBody ? [", { body }", ", ...body"] : ["", ""];
    return `${imports}import { answerOne } from "../answer.ts";

${declared} answerOne(
  "${words}",
  ({ accountId, ${plan.parameter}: id }, { ${camel(service)} }${input}) => ${store}.${camel(verb)}({ accountId, id${body} }),
  present${Noun},
);
`;
  }
  const body = plan.hasBody ? ", ...input.body" : "";
  return `${imports}
${declared} async ({ input, principal, deps }) => {
  const ${name} = await deps.${store}.${camel(verb)}({ accountId: principal.accountId${body} });
  return { status: ${status}, data: present${Noun}(${name}) };
};
`;
}

function addNoun(tree: Tree, plan: Plan): void {
  const { service, Service, noun, name, names, Noun, Nouns, table } = plan;
  const folder = `${platform}/${service}`;
  const face = `${folder}/index.ts`;
  tree.edit(face, /(?=^\nexport)/m, `import { create${Nouns}, type ${Nouns} } from "./${noun}.ts";\n`);
  tree.edit(
    face,
    /(?=^export type \{)/m,
    `export { present${Noun} } from "./present-${noun}.ts";\nexport type { ${Noun}, ${Nouns} } from "./${noun}.ts";\n`,
  );
  tree.edit(face, new RegExp(`(?<=^export type ${Service} = \\{)`, "m"), ` ${names}: ${Nouns};`);
  tree.edit(
    face,
    new RegExp(`(?<=^export function create${Service}\\([^{]*\\{\\n(?:.*\\n)*? {2}return \\{)`, "m"),
    ` ${names}: create${Nouns}(db, deps),`,
  );
  const row = `export type ${Nouns}Table = {\n  id: Immutable<string>;\n  account_id: Immutable<string>;\n  created_at: Immutable<Date>;\n};\n`;
  tree.edit(
    `${folder}/tables.ts`,
    new RegExp(`(?<=^export type ${Service}Tables = \\{\\n)`, "m"),
    `  ${table}: ${Nouns}Table;\n`,
  );
  tree.edit(`${folder}/tables.ts`, /(?![\s\S])/, `\n${row}`);
  tree.add(
    `${folder}/present-${noun}.ts`,
    `import type { Schemas } from "@gateway/contract";
import type { ${Noun} } from "./${noun}.ts";

export function present${Noun}(${name}: ${Noun}): Schemas["${Noun}"] {
  return { id: ${name}.id, createdAt: ${name}.createdAt.toISOString() };
}
`,
  );
  tree.add(`${folder}/${noun}.ts`, nounOf(plan));
}

/**
 * A creation is known but for its columns. What else a noun does is written by hand; the operation that needs it is red
 * until then.
 */
function nounOf({ noun, name, Noun, Nouns, Service, table, prefix, verb, emits }: Plan): string {
  const depsType = `Pick<AccountClock, "inAccount"> & { createId: CreateId${emits === null ? "" : "; recorder: Recorder"} }`;
  const unused = verb === "create" ? "" : "_";
  const face = (method: string, implementation: string): string => `
export type ${Noun} = { id: string; createdAt: Date };

export interface ${Nouns} {${method}}

export type ${Noun}Deps = ${depsType};

export function create${Nouns}(${unused}db: Kysely<${Service}Tables>, ${unused}deps: ${Noun}Deps): ${Nouns} {
  return {${implementation}};
}
`;
  const ofEvent = `import type { Recorder } from "../events/index.ts";\n`;
  const imports = `import type { Kysely } from "kysely";
import type { AccountClock } from "@gateway/engine/account-time";
${emits === null ? "" : ofEvent}import type { CreateId } from "@gateway/engine/id";
import type { ${Service}Tables } from "./tables.ts";
`;
  if (verb !== "create") {
    return imports + face("", "");
  }
  const event = `  await deps.recorder.record(trx, [{ type: "${emits}", object: present${Noun}(${name}) }]);\n`;
  return `import type { Schemas } from "@gateway/contract";
${imports.replace("Kysely }", "Kysely, Selectable }").replace("AccountClock }", "AccountClock, AccountTransaction }")}${emits === null ? "" : `import { present${Noun} } from "./present-${noun}.ts";\n`}${face(
    `
  ${emits === null ? "" : `/** Records \`${emits}\`. */\n  `}create(input: { accountId: string } & Schemas["${Noun}Create"]): Promise<${Noun}>;
`,
    ` create: (input) => deps.inAccount(db, input.accountId, (trx) => create${Noun}(trx, deps, input)) `,
  )}
async function create${Noun}(
  trx: AccountTransaction<${Service}Tables>,
  deps: ${Noun}Deps,
  { accountId }: Parameters<${Nouns}["create"]>[0],
): Promise<${Noun}> {
  const row = await trx
    .insertInto("${table}")
    .values({ id: deps.createId("${prefix}"), account_id: accountId, created_at: trx.now })
    .returningAll()
    .executeTakeFirstOrThrow();
  const ${name} = ${name}Of(row);
${emits === null ? "" : event}  return ${name};
}

function ${name}Of(row: Selectable<${Service}Tables["${table}"]>): ${Noun} {
  return { id: row.id, createdAt: row.created_at };
}
`;
}

function addMigration(tree: Tree, { names, table }: Plan): void {
  const folder = `${schema}/migrations`;
  const last = Math.max(...tree.list(folder).map((file) => Number.parseInt(file, 10) || 0));
  const number = String(last + 1).padStart(4, "0");
  const file = `${number}-${table.replaceAll("_", "-")}`;
  tree.add(
    `${folder}/${file}.ts`,
    `import { id, runStatements } from "../statements.ts";

export const ${names} = runStatements([
  \`create table ${table} (
    account_id \${id} not null,
    id \${id} not null,
    created_at timestamptz not null,
    primary key (account_id, id)
  )\`,
]);
`,
  );
  tree.edit(`${schema}/index.ts`, /(?=^\nexport)/m, `import { ${names} } from "./migrations/${file}.ts";\n`);
  tree.edit(`${schema}/index.ts`, /(?=^\};)/m, `  "${number}_${table}": ${names},\n`);
}

/** The row of the access table says again what the person said: it is compared with what the gateway does. */
function addTests(tree: Tree, { nouns, operationId, permission, status }: Plan): void {
  tree.edit("apps/gateway/test/access-table.txt", /(?![\s\S])/, `${operationId} ${permission} ${status}\n`);
  const file = tree.has(`apps/gateway/test/${nouns}.edge.test.ts`) ? fileOf(operationId) : nouns;
  tree.add(
    `apps/gateway/test/${file}.edge.test.ts`,
    `import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

describe("${operationId}", () => {
  let gateway: TestGateway;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    key = (await gateway.createKey(await gateway.createAccount(), "${permission}")).secret;
  });
  afterAll(() => gateway.stop());

  test("does what it promises", () => {
    expect.fail(\`Decide what ${operationId} guarantees, name the test after it, and show it with \${key}.\`);
  });
});
`,
  );
}

/** `create-payment` */
function fileOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
