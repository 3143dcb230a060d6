import { happenedAt, writeEvent } from "./event.ts";
import { exampleOf, idOf, linesOf, madeAt } from "./example.ts";
import { A, a, camel, pascal, type Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

const components = "openapi/components";
const index = "openapi/openapi.yaml";
const meta = `  meta:\n    requestId: ${idOf("req")}\n    timestamp: "${madeAt}"\n`;

/**
 * Writes the document's part of an operation. A placeholder that begins with "Decide" is for a person, and fails the
 * lint.
 */
export function writeDocument(tree: Tree, plan: Plan): void {
  addTag(tree, plan);
  addPath(tree, plan);
  addNoun(tree, plan);
  addBodies(tree, plan);
  for (const type of plan.emits === null ? [] : [plan.emits, ...plan.alsoEmits]) {
    writeEvent(tree, plan, type);
  }
}

function addPath(tree: Tree, plan: Plan): void {
  const path = `openapi/paths/${plan.file}.yaml`;
  const Id = plan.isById ? pascal(plan.parameter) : plan.under?.Id;
  const head = Id === undefined ? "" : `parameters:\n  - $ref: ../components/parameters/${plan.service}/${Id}.yaml\n`;
  if (!tree.has(path)) {
    tree.edit(index, placeOf(tree, plan), `  ${plan.url}:\n    $ref: paths/${plan.file}.yaml\n`);
    tree.add(path, `x-service: ${plan.service}\n${head}`);
  }
  // Methods in the order of the other files.
  const later = ["get", "post", "patch", "delete"].slice(["get", "post", "patch", "delete"].indexOf(plan.method) + 1);
  tree.edit(path, new RegExp(`(?=^(?:${later.join("|") || "-"}):|(?![\\s\\S]))`, "m"), operationOf(tree, plan));
}

/** The place after the other paths of the noun, or of its parent. The paths of a new noun come last. */
function placeOf(tree: Tree, plan: Plan): RegExp {
  const { nouns } = plan.under ?? plan;
  const ofNoun = new RegExp(`(?<= {2}/api/v1/${nouns}(?:/.*)?:\\n.*\\n)(?! {2}/api/v1/${nouns}[/:])`);
  return ofNoun.test(tree.read(index)) ? ofNoun : /(?=^webhooks:$)/m;
}

function operationOf(tree: Tree, plan: Plan): string {
  const { Noun, operationId, service } = plan;
  const parameters = ["Limit", "Cursor"].map((name) => `    - $ref: ../components/parameters/shared/${name}.yaml\n`);
  const content = (schema: string, example: string, component: string, indent: string): string =>
    `content:
  application/json:
    schema:
      $ref: ../components/schemas/${service}/${schema}.yaml
    examples:
      ${example}:
        $ref: ../components/examples/${service}/${component}.yaml
`
      .replaceAll(/^/gm, indent)
      .trimEnd() + "\n";
  const body = `  requestBody:\n    required: true\n${content(Noun + pascal(plan.verb), "plain", requestOf(plan), "    ")}`;
  const [answer, example] = answerOf(plan);
  const envelope = plan.verb === "list" ? `${Noun}ListEnvelope` : `${Noun}Envelope`;
  return `${plan.method}:
  operationId: ${operationId}
  x-client: ${plan.names}.${camel(plan.verb)}
  tags: [${tagOf(tree, plan)}]
  summary: ${summaryOf(plan)}
  description: |-
    ${descriptionOf(plan)}
${plan.emits === null ? "" : `  x-emits: [${[plan.emits, ...plan.alsoEmits].join(", ")}]\n`}  x-permission: ${plan.permission}
${plan.refuses.length === 0 ? "" : `  x-problems: [${plan.refuses.join(", ")}]\n`}${plan.verb === "list" ? `  parameters:\n${parameters.join("")}` : ""}${plan.hasBody ? body : ""}  responses:
    "${plan.status}":
      description: ${answer}
${content(envelope, example, plan.Noun + pascal(example), "      ")}`;
}

function addNoun(tree: Tree, plan: Plan): void {
  const { service, Noun, words, prefix, parameter, under, fields, firstState, verb, operationId } = plan;
  const schemas = `${components}/schemas/${service}`;
  const object = "type: object\nadditionalProperties: false\n";
  const aboutId = `It is a TypeID, \`${prefix}_\` and 26 characters; ids sort by the time they were created.`;
  tree.add(
    `${schemas}/${Noun}Id.yaml`,
    `description: The id of ${a(words)}. ${aboutId}
type: string
pattern: "^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$"
x-issue: "must be the id of ${a(words)}, ${prefix}_ and 26 characters"
examples: [${idOf(prefix)}]
`,
  );
  tree.add(
    `${schemas}/${Noun}.yaml`,
    `description: Decide what ${a(words)} is, in a sentence, and its other fields.
${object}${firstState === null ? "" : `x-state-machine:\n  property: status\n  final: [${firstState}]\n  transitions:\n    ${camel(verb)}: { from: null, to: ${firstState}, by: [${operationId}], emits: [${[plan.emits, ...plan.alsoEmits].join(", ")}] }\n`}required: [${["id", ...membersOf(plan), "createdAt"].join(", ")}]
properties:
  id:
    $ref: ${Noun}Id.yaml
${under ? `  ${under.parameter}:\n    $ref: ${under.Id}.yaml\n    description: The ${under.words} that it is of.\n` : ""}${propertiesOf(fields)}${firstState === null ? "" : `  status:\n    $ref: ${Noun}Status.yaml\n`}  createdAt:
    $ref: ../shared/Timestamp.yaml
    description: When the ${words} was created.
`,
  );
  if (firstState !== null) {
    tree.add(
      `${schemas}/${Noun}Status.yaml`,
      `description: |-\n  ${stateTextOf(plan)}\ntype: string\nx-extensible: true\nenum: [${firstState}]\nexamples: [${firstState}]\n`,
    );
  }
  const envelope = (description: string, data: string, ofMeta: string): string =>
    `description: ${description}\n${object}required: [data, meta]\nproperties:\n  data:\n${data}  meta:\n    $ref: ../shared/${ofMeta}.yaml\n`;
  if (plan.verb === "list") {
    const page = `    description: The page, newest first. It may be empty.\n    type: array\n    maxItems: 100\n    items:\n      $ref: ${Noun}.yaml\n`;
    tree.add(`${schemas}/${Noun}ListEnvelope.yaml`, envelope(`One page of ${wordsOf(plan)}.`, page, "ListMeta"));
  } else {
    const one = `    $ref: ${Noun}.yaml\n`;
    tree.add(
      `${schemas}/${Noun}Envelope.yaml`,
      envelope(`One ${words}, in the envelope of every success.`, one, "Meta"),
    );
  }
  if (plan.isById) {
    tree.add(
      `${components}/parameters/${service}/${pascal(parameter)}.yaml`,
      `name: ${parameter}\nin: path\nrequired: true\ndescription: The id of the ${words}.\nschema:\n  $ref: ../../schemas/${service}/${Noun}Id.yaml\nexample: ${idOf(prefix)}\n`,
    );
  }
}

function addBodies(tree: Tree, plan: Plan): void {
  const { service, Noun, verb, words, takes } = plan;
  const examples = `${components}/examples/${service}`;
  if (plan.hasBody) {
    tree.add(`${components}/schemas/${service}/${Noun}${pascal(verb)}.yaml`, bodyOf(plan));
    const asked = verb === "create" ? `${A(words)} to create` : `A change of ${a(words)}`;
    const request =
      takes.length === 0
        ? `summary: Decide what a request of ${plan.operationId} looks like.\nvalue: {}\n`
        : `summary: ${asked}\nvalue:\n${linesOf(takes, "  ")}`;
    tree.add(`${examples}/${requestOf(plan)}.yaml`, request);
  }
  const object = exampleOf(tree, plan).replaceAll("\n", "\n      ");
  const isList = verb === "list";
  const [, example] = answerOf(plan);
  tree.add(
    `${examples}/${Noun}${pascal(example)}.yaml`,
    `summary: ${shownIn(plan)}\nvalue:\n  data:\n    ${isList ? `- ${object}` : object.replaceAll(/^ {6}/gm, "    ")}\n${meta}${isList ? "    hasMore: false\n    nextCursor: null\n" : ""}`,
  );
}

/** Names of its states and their meaning. The first one is known from an event that is named after it. */
function stateTextOf({ firstState, emits, ...plan }: Plan): string {
  const happened = emits === null ? null : happenedAt(plan, emits);
  const added = "new ones may be added.";
  return happened === null
    ? `Decide what states ${a(plan.words)} has; ${added}\n\n  - \`${firstState}\`: Decide what that means.`
    : `The state of the ${plan.words}; ${added}\n\n  - \`${firstState}\`: ${happened.replace(/^An? /, "the ")}`;
}

/** The fields of a new noun in addition to its id and its time. */
function membersOf({ under, fields, firstState }: Plan): string[] {
  return [
    ...(under ? [under.parameter] : []),
    ...fields.map(({ name }) => name),
    ...(firstState === null ? [] : ["status"]),
  ];
}

function propertiesOf(fields: Plan["fields"]): string {
  return fields.map(({ name, ref }) => `  ${name}:\n    $ref: ${ref}\n`).join("");
}

function bodyOf({ verb, words, takes, operationId }: Plan): string {
  const object = "type: object\nadditionalProperties: false\n";
  if (takes.length === 0) {
    return `description: Decide the fields that ${operationId} takes, and say what they are in a sentence.\n${object}properties: {}\n`;
  }
  const required = verb === "create" ? `required: [${takes.map(({ name }) => name).join(", ")}]\n` : "";
  const description = verb === "create" ? `The fields of a new ${words}.` : `The fields of ${a(words)} to change.`;
  return `description: ${description}\n${object}${required}properties:\n${propertiesOf(takes)}`;
}

/** The summary of its example. After an action, only a person knows it. */
function shownIn({ verb, words, operationId, ...plan }: Plan): string {
  const known: Readonly<Record<string, string>> = {
    create: `The new ${words}`,
    get: `One ${words}`,
    list: `The only one of the ${wordsOf(plan)}`,
  };
  return known[verb] ?? `Decide which ${words} ${operationId} answers here.`;
}

function addTag(tree: Tree, plan: Plan): void {
  const name = tagOf(tree, plan);
  if (!tree.read(index).includes(`- name: ${name}\n`)) {
    const tag = `  - name: ${name}\n    description: Decide what callers do with ${wordsOf(plan)}, in a sentence or two.\n`;
    tree.edit(index, /(?=^ {2}- name: Event types$)/m, tag);
  }
}

/** The tag of the noun's other operations, or of its parent's. */
function tagOf(tree: Tree, plan: Plan): string {
  const ofNoun = new RegExp(`^(?:[^_]+_\\{\\w+\\}_)?${plan.nouns}(?:_.*)?\\.yaml$`);
  const ofParent = plan.under ? new RegExp(`^${plan.under.nouns}(?:_.*)?\\.yaml$`) : ofNoun;
  const files = tree.list("openapi/paths");
  const file = files.find((name) => ofNoun.test(name)) ?? files.find((name) => ofParent.test(name));
  const [, tag] = /^ {2}tags: \[(.+)\]$/m.exec(file === undefined ? "" : tree.read(`openapi/paths/${file}`)) ?? [];
  return tag ?? wordsOf(plan).charAt(0).toUpperCase() + wordsOf(plan).slice(1);
}

function summaryOf(plan: Plan): string {
  const { verb, words } = plan;
  const [first = "", ...rest] = verb.split("-");
  const said = first.charAt(0).toUpperCase() + first.slice(1);
  return verb === "list" ? `List ${wordsOf(plan)}` : [said, a(words), ...rest].join(" ");
}

function descriptionOf({ verb, words, operationId, ...plan }: Plan): string {
  if (verb === "list") {
    return `The ${wordsOf(plan)} of the ${plan.under?.words ?? "account"}, newest first.`;
  }
  return verb === "get" ? `One ${words}.` : `Decide what ${operationId} does and when it refuses, in a few sentences.`;
}

/** The description of the response, and the name of its example. */
function answerOf({ verb, words, ...plan }: Plan): [description: string, example: string] {
  const known: Readonly<Record<string, [string, string]>> = {
    list: [`A page of ${wordsOf(plan)}.`, "page"],
    get: [`The ${words}.`, "found"],
    create: [`The new ${words}.`, "created"],
    update: [`The ${words} as it is now.`, "updated"],
    delete: [`The ${words} as it was.`, "deleted"],
  };
  return known[verb] ?? [`The ${words} as it is now.`, camel(`after-${verb}`)];
}

function requestOf({ Noun, verb }: Plan): string {
  return `${Noun}${pascal(verb)}Request`;
}

function wordsOf({ nouns }: Pick<Plan, "nouns">): string {
  return nouns.replaceAll("-", " ");
}
