import { auditTypeOf } from "./audit.ts";
import { camel, type Parent, type Plan } from "./plan.ts";
import { writePlans } from "./plans.ts";
import { writeSamples } from "./samples.ts";
import type { Tree } from "./tree.ts";

const platform = "packages/platform/src";
const schema = "packages/schema/src";
const operations = "apps/gateway/src/operations";

/**
 * Writes the operation and the functions that it calls. Decisions of a person are left out, so that the type-check or a
 * test requires them.
 */
export function writeCode(tree: Tree, plan: Plan): void {
  addOperation(tree, plan);
  if (!tree.has(`${platform}/${plan.service}/${plan.noun}.ts`)) {
    addNoun(tree, plan);
    addMigration(tree, plan);
  }
  addTests(tree, plan);
  if (plan.verb === "list") {
    writePlans(tree, plan);
  }
  if (plan.isNew && plan.verb === "create") {
    writeSamples(tree, plan);
  }
  if (plan.firstState !== null) {
    addTraces(tree, plan);
  }
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
  const importing = (helper = ""): string => `import { present${Noun} } from "@gateway/platform/${service}";
import ${helper === "" ? "type { " : `{ ${helper}, type `}OperationHandler } from "../operation.ts";
`;
  if (plan.under) {
    const under = operationUnder({ service, operationId, verb, name, names, Noun, words, status, ...plan }, plan.under);
    return importing(verb === "list" ? "noSuch, pageOf" : "noSuch") + under;
  }
  if (verb === "list") {
    return `${importing("answerPage")}
${declared} answerPage((query, { ${camel(service)} }) => ${store}.list(query), present${Noun});
`;
  }
  if (plan.isById) {
    const [input, body] = plan.hasBody ? [", { body }", ", ...body"] : ["", ""];
    return `${importing("answerOne")}
${declared} answerOne(
  "${words}",
  ({ accountId, ${plan.parameter}: id }, { ${camel(service)} }${input}) => ${store}.${camel(verb)}({ accountId, id${body} }),
  present${Noun},
);
`;
  }
  const body = plan.hasBody ? ", ...input.body" : "";
  return `${importing()}
${declared} async ({ input, principal, deps }) => {
  const ${name} = await deps.${store}.${camel(verb)}({ accountId: principal.accountId${body} });
  return { status: ${status}, data: present${Noun}(${name}) };
};
`;
}

/** A resource that the account does not have has no collection either. */
function operationUnder({ operationId, service, verb, name, names, Noun, status }: Plan, under: Parent): string {
  const store = `deps.${camel(service)}.${names}`;
  const declared = `export const ${operationId}: OperationHandler<"${operationId}"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;`;
  if (verb === "list") {
    return `
${declared}
  if (!(await deps.${camel(service)}.${camel(under.nouns)}.get({ accountId, id: input.path.${under.parameter} }))) {
    throw noSuch("${under.words}");
  }
  return pageOf(await ${store}.list({ ...input.query, ...input.path, accountId }), present${Noun});
};
`;
  }
  return `
${declared}
  const ${name} = await ${store}.create({ ...input.body, ...input.path, accountId });
  if (!${name}) {
    throw noSuch("${under.words}");
  }
  return { status: ${status}, data: present${Noun}(${name}) };
};
`;
}

function addNoun(tree: Tree, plan: Plan): void {
  const { service, Service, noun, name, names, Noun, Nouns, table, under, fields, firstState } = plan;
  const folder = `${platform}/${service}`;
  const face = `${folder}/index.ts`;
  tree.edit(face, /(?=^\nexport)/m, `import { create${Nouns} } from "./${noun}.ts";\n`);
  tree.edit(face, /(?=^export type \{)/m, `export { present${Noun}, type ${Noun} } from "./present-${noun}.ts";\n`);
  tree.edit(
    face,
    new RegExp(`(?<=^export function create${Service}\\([^{]*\\{\\n(?:.*\\n)*? {2}return \\{)`, "m"),
    ` ${names}: create${Nouns}(db, deps),`,
  );
  const ofParent = under ? `  ${under.column}: Immutable<string>;\n` : "";
  const ofState = firstState === null ? "" : `  status: "${firstState}";\n`;
  const ofFields = fields.map(({ column, type }) => `  ${column}: Immutable<${type}>;\n`).join("");
  const ofFieldsType = fields.map((field) => `${field.name}: ${field.type}; `).join("");
  const ofParentType = under ? `${under.parameter}: string; ` : "";
  const ofStateType = firstState === null ? "" : `status: Schemas["${Noun}Status"]; `;
  const row = `type ${Nouns}Table = {\n  account_id: Immutable<string>;\n  id: Immutable<string>;\n${ofParent}${ofFields}${ofState}  created_at: Immutable<Date>;\n};\n`;
  tree.edit(
    `${folder}/tables.ts`,
    new RegExp(`(?<=^export type ${Service}Tables = \\{\\n)`, "m"),
    `  ${table}: ${Nouns}Table;\n`,
  );
  tree.edit(`${folder}/tables.ts`, /(?![\s\S])/, `\n${row}`);
  if (ofFields.includes("Schemas[") && !/\bSchemas\b.*"@gateway\/contract"/.test(tree.read(`${folder}/tables.ts`))) {
    tree.edit(`${folder}/tables.ts`, /(?=^import)/m, `import type { Schemas } from "@gateway/contract";\n`);
  }
  tree.add(
    `${folder}/present-${noun}.ts`,
    `import type { Schemas } from "@gateway/contract";

export type ${Noun} = { id: string; ${ofParentType}${ofFieldsType}${ofStateType}createdAt: Date };

export function present${Noun}(${name}: ${Noun}): Schemas["${Noun}"] {
  return { ...${name}, createdAt: ${name}.createdAt.toISOString() };
}
`,
  );
  tree.add(`${folder}/${noun}.ts`, nounOf(plan));
  tree.edit("docs/architecture/imports.md", new RegExp(`(?<=^\\| ${camel(service)} \\| )`, "m"), `${table}, `);
}

/**
 * A creation is complete except for its columns. Other methods of a noun are written by hand; the operation that needs
 * them fails until then.
 */
function nounOf(plan: Plan): string {
  const { Noun, Nouns, Service, verb, emits, under } = plan;
  const isCreation = verb === "create";
  const isAudited = auditTypeOf(plan) !== null;
  const unused = isCreation ? "" : "_";
  const events = emits === null ? "" : `Records \`${emits}\`.`;
  const nothing = under ? `Null when the account has no such ${under.words}.` : "";
  const said = [events, nothing].filter((text) => text !== "").join(" ");
  const method = `
    ${said === "" ? "" : `/** ${said} */\n    `}create: actsOf(db, deps)(create${Noun}),
  `;
  return `${importsOf(plan)}
export type ${Noun}Deps = Pick<NounDeps, "createId" | "inAccount"${isAudited ? ` | "recordAudit"` : ""}>${emits === null ? "" : " & { recorder: Recorder }"};

export function create${Nouns}(${unused}db: Kysely<${Service}Tables>, ${unused}deps: ${Noun}Deps) {
  return {${isCreation ? method : ""}};
}
${isCreation ? creationOf(plan, under ? `${Noun} | null` : Noun) : ""}`;
}

function importsOf({ Noun, Service, verb, emits, firstState, noun }: Plan): string {
  const isCreation = verb === "create";
  return [
    isCreation ? `import type { Schemas } from "@gateway/contract";` : "",
    `import type { ${isCreation ? "Insertable, Kysely, Selectable" : "Kysely"} } from "kysely";`,
    isCreation ? `import { actsOf, type AccountTransaction } from "@gateway/engine/account-time";` : "",
    `import type { NounDeps } from "../audit/index.ts";`,
    emits === null ? "" : `import type { Recorder } from "../events/index.ts";`,
    firstState === null ? "" : `import { begin } from "@gateway/engine/move";`,
    isCreation ? `import { ${emits === null ? "" : `present${Noun}, `}type ${Noun} } from "./present-${noun}.ts";` : "",
    `import type { ${Service}Tables } from "./tables.ts";`,
  ]
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * Its event is one that the first transition of the machine emits, so another type does not compile. A column that it
 * does not fill is named by the type of its row, and would not be by the insert.
 */
function creationOf(plan: Plan, type: string) {
  const { name, Noun, Service, table, prefix, verb, emits, under, takes, fields: own, firstState } = plan;
  const known = under
    ? `  const known = await trx
    .selectFrom("${under.nouns.replaceAll("-", "_")}")
    .select("id")
    .where("id", "=", ${under.parameter})
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!known) {
    return null;
  }
`
    : "";
  const begun = firstState === null ? "" : `  const { state: status, event } = begin("${Noun}", "${camel(verb)}");\n`;
  const columns = [
    `account_id: accountId, id: deps.createId("${prefix}")`,
    ...(under ? [`${under.column}: ${under.parameter}`] : []),
    ...takes.map((field) => (field.column === field.name ? field.name : `${field.column}: ${field.name}`)),
    ...(firstState === null ? [] : ["status"]),
    "created_at: trx.now",
  ];
  const fields = [
    "id: row.id",
    ...(under ? [`${under.parameter}: row.${under.column}`] : []),
    ...own.map((field) => `${field.name}: row.${field.column}`),
    ...(firstState === null ? [] : ["status: row.status"]),
    "createdAt: row.created_at",
  ];
  const event = `  await deps.recorder.record(trx, [event("${emits}", present${Noun}(${name}))]);\n`;
  const audit = auditTypeOf(plan);
  const after = takes.length === 0 ? "" : `, after: { ${takes.map((field) => field.name).join(", ")} }`;
  const recorded =
    audit === null
      ? ""
      : `  await deps.recordAudit(trx, { accountId, type: "${audit}", resourceId: ${name}.id${after} });\n`;
  return `
type CreateInput = { accountId: string${under ? `; ${under.parameter}: string` : ""} } & Schemas["${Noun}Create"];

async function create${Noun}(
  trx: AccountTransaction<${Service}Tables>,
  deps: ${Noun}Deps,
  { ${["accountId", ...(under ? [under.parameter] : []), ...takes.map((field) => field.name)].join(", ")} }: CreateInput,
): Promise<${type}> {
${known}${begun}  const values: Insertable<${Service}Tables["${table}"]> = { ${columns.join(", ")} };
  const row = await trx.insertInto("${table}").values(values).returningAll().executeTakeFirstOrThrow();
  const ${name} = ${name}Of(row);
${emits === null ? "" : event}${recorded}  return ${name};
}

function ${name}Of(row: Selectable<${Service}Tables["${table}"]>): ${Noun} {
  return { ${fields.join(", ")} };
}
`;
}

function addMigration(tree: Tree, { names, table, under, fields, firstState }: Plan): void {
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
${under ? `    ${under.column} \${id} not null,\n` : ""}${fields.map((field) => `    ${field.column} ${field.sql} not null,\n`).join("")}${firstState === null ? "" : `    status text not null check (status in ('${firstState}')),\n`}    created_at timestamptz not null,
    primary key (account_id, id)
  )\`,
${under ? `  "create index ${table}_of_${under.words.replaceAll(" ", "_")} on ${table} (${under.column}, account_id, id)",\n` : ""}]);
`,
  );
  tree.edit(`${schema}/index.ts`, /(?=^\nexport)/m, `import { ${names} } from "./migrations/${file}.ts";\n`);
  tree.edit(`${schema}/index.ts`, /(?=^\};)/m, `  "${number}_${table}": ${names},\n`);
}

/** The row of the access table repeats the person's words, because a test compares it with the gateway's behaviour. */
function addTests(tree: Tree, { Noun, nouns, verb, operationId, permission, status, firstState }: Plan): void {
  if (firstState !== null) {
    const row = `  "${Noun}.${camel(verb)}": byOperation("${operationId}"),\n`;
    tree.edit("apps/gateway/test/state-machines.edge.test.ts", /(?=^\};\n\nexpectTypeOf)/m, row);
  }
  tree.edit("apps/gateway/test/access-table.txt", /(?![\s\S])/, `${operationId} ${permission} ${status}\n`);
  const file = `apps/gateway/test/${nouns}.edge.test.ts`;
  const guarantee = `  test("${operationId} does what it promises", () => {
    expect.fail(\`Decide what ${operationId} guarantees, name the test after it, and show it with \${key}.\`);
  });
`;
  if (tree.has(file) && /^\}\);\n(?![\s\S])/m.test(tree.read(file)) && tree.read(file).includes("let key: string")) {
    tree.edit(file, /(?=^\}\);\n(?![\s\S]))/m, `\n${guarantee}`);
    return;
  }
  tree.add(
    tree.has(file) ? `apps/gateway/test/${fileOf(operationId)}.edge.test.ts` : file,
    `import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

describe("${nouns}", () => {
  let gateway: TestGateway;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    key = (await gateway.createKey(await gateway.createAccount(), "${permission}")).secret;
  });
  afterAll(() => gateway.stop());

${guarantee}});
`,
  );
}

/** The traces of a noun whose only state is the first: its event, and its creation in the audit. */
function addTraces(tree: Tree, plan: Plan): void {
  const audit = auditTypeOf(plan);
  const audited = audit === null ? "{}" : `{ "${audit}": one }`;
  const row = `  ${plan.Noun}: { table: "${plan.table}", open: [], events: { "${plan.emits}": one }, audited: ${audited}, booked: {} },\n`;
  tree.edit("tests/storm/ledger/machines.ts", /(?<=^const machinesByName: [^]*?)(?=^\};$)/m, row);
}

/** `create-payment` */
function fileOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
