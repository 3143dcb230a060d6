import { camel, type Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

const allEvents = "tests/all-events.system.test.ts";

/**
 * Writes how tests make a new noun: by the examples of its fields, under a new resource. Where that is refused, such as
 * in the first state of its parent, the test says so.
 */
export function writeSamples(tree: Tree, plan: Plan): void {
  addMaker(tree, plan);
  if (plan.firstState !== null && !tree.read(allEvents).includes(`"${plan.emits}": `)) {
    tree.edit(allEvents, /(?<=^const scenarios: [^]*?)(?=^\};$)/m, scenarioOf(tree, plan));
  }
}

function addMaker(tree: Tree, { service, name, names, Noun, prefix, under, takes }: Plan): void {
  const file = `apps/gateway/test/support/samples/${service}.ts`;
  const [, ofParent] = under ? (new RegExp(`\\b${under.prefix}: (\\w+)\\b`).exec(tree.read(file)) ?? []) : [];
  if (!tree.has(file) || (under && ofParent === undefined)) {
    return;
  }
  const input = ["accountId", ...(under ? [under.parameter] : []), ...fieldsOf(takes)].join(", ");
  const created = `owner.platform.${camel(service)}.${names}.create({ ${input} })`;
  const making = under
    ? `  const { id: ${under.parameter} } = await ${ofParent}(owner);
  const ${name} = await ${created};
  if (${name} === null) {
    throw new Error("The ${under.words} of the sample is gone.");
  }
  return ${name};
`
    : `  return ${created};\n`;
  tree.edit(file, /(?<=^ {2}makers: \{)/m, ` ${prefix}: create${Noun},`);
  tree.edit(
    file,
    /(?![\s\S])/,
    `\n${under ? "async " : ""}function create${Noun}(owner: Owner): Promise<{ id: string }> {\n  const { accountId } = owner;\n${making}}\n`,
  );
}

/** Its parent is one that an event is about, the first of the parent's events. */
function scenarioOf(tree: Tree, { emits, nouns, firstState, under, takes }: Plan): string {
  const created = (path: string): string =>
    `{ about: (await post(${path}, { ${fieldsOf(takes).join(", ")} })).id, status: "${firstState}" }`;
  if (!under) {
    return `  "${emits}": async () => (${created(`"${nouns}"`)}),\n`;
  }
  const ofParent = new RegExp(`^ {2}"(${under.words.replaceAll(" ", "_")}\\.\\w+)": `, "m");
  const [, event = ""] = ofParent.exec(tree.read(allEvents)) ?? [];
  return `  "${emits}": async () => {
    const { about } = await scenarios["${event}"]();
    return ${created(`\`${under.nouns}/\${about}/${nouns}\``)};
  },\n`;
}

function fieldsOf(takes: Plan["takes"]): string[] {
  return takes.map(({ name, example, type }) => {
    const text = example.startsWith('"') ? example : JSON.stringify(example.trim());
    return `${name}: ${type === "number" ? example : text}`;
  });
}
