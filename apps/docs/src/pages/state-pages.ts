import type { ApiDocument } from "../reference/api-document.ts";
import { spellOutDocumentLinks } from "../reference/document-links.ts";
import { resolve, type OpenApi, type Schema, type StateMachine, type Transition } from "../reference/open-api.ts";
import { describeMarkdown, type Page } from "./page.ts";

/** A page for each schema that has states, with its machine as a drawing and a table. */
export function createStatePages({ name, openapi, operations }: ApiDocument): Page[] {
  const summaries = new Map(operations.map(({ operationId, summary = operationId }) => [operationId, summary]));
  return listStateMachines(openapi).map((one) => {
    const markdown = spellOutDocumentLinks(renderPage(one, openapi, summaries), name);
    return {
      path: statesPath(one.name),
      kind: "states",
      section: "events",
      sources: ["openapi/components/schemas"],
      ...describeMarkdown(markdown),
      markdown,
    };
  });
}

type NamedMachine = { name: string; machine: StateMachine; schema: Schema };

export function listStateMachines({ components }: OpenApi): NamedMachine[] {
  // The document keeps only schemas under `schemas`.
  const schemas = Object.entries((components["schemas"] ?? {}) as Record<string, Schema>);
  return schemas.flatMap(([name, schema]) => {
    const machine = schema["x-state-machine"];
    return machine ? [{ name, machine, schema }] : [];
  });
}

/** `CustodyTransfer` is at `states/custody-transfer`. */
export function statesPath(name: string): string {
  return `states/${wordsOf(name).replaceAll(" ", "-")}`;
}

export function stateTitle(name: string): string {
  const words = wordsOf(name);
  return `States of ${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}

/** The types of events, including those that do not occur each time. */
export function typesOf({ emits = [] }: Transition): string[] {
  return emits.map((type) => type.replace(/\?$/, ""));
}

/** The cause of a transition without a call: `the fact chain.confirmed`. */
export function causeOf({ on = [], after = "", when }: Transition): string {
  return on.length > 0
    ? on.map((fact) => `the fact \`${fact}\``).join(" or ")
    : `the time, ${durationOf(after)} later${when === undefined ? "" : `, when ${when}`}`;
}

function wordsOf(name: string): string {
  return name.replaceAll(/(?<=.)(?=[A-Z])/g, " ").toLowerCase();
}

const units: Readonly<Record<string, string>> = { D: "day", H: "hour", M: "minute", S: "second" };

/** `PT24H` is 24 hours. */
function durationOf(text: string): string {
  const parts = Array.from(text.matchAll(/(\d+)([DHMS])/g), ([, count = "", unit = ""]) => {
    return `${count} ${units[unit]}${count === "1" ? "" : "s"}`;
  });
  return parts.join(" ");
}

function renderPage(
  { name, machine, schema }: NamedMachine,
  openapi: OpenApi,
  summaries: ReadonlyMap<string, string>,
): string {
  const { description = "" } = resolve(openapi, schema.properties?.[machine.property] ?? {});
  const rows = Object.entries(machine.transitions).map(([transition, value]) => {
    const cells = [
      `\`${transition}\``,
      value.from === null ? "nothing" : codesOf(value.from),
      codesOf([value.to]),
      value.by ? value.by.map((id) => `[${summaries.get(id) ?? id}](operation:${id})`).join(", ") : causeOf(value),
      describeEvents(value),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const final = machine.final.length === 0 ? "" : `\n\nNothing leads out of ${codesOf(machine.final, " and ")}.`;
  return `# ${stateTitle(name)}

The states of this resource, its transitions, and the [events](../events/index.md) that report them.

## States

\`${machine.property}\`: ${description.trim()}

\`\`\`dot title="${stateTitle(name)} and its transitions"
${drawMachine(name, machine)}
\`\`\`

## Transitions

| Transition | From | To | Caused by | Events |
|---|---|---|---|---|
${rows.join("\n")}${final}

An operation that the current state does not allow changes nothing and returns [409 INVALID_STATE](error:INVALID_STATE).
`;
}

function codesOf(states: readonly string[], between = ", "): string {
  return states.map((state) => `\`${state}\``).join(between);
}

function describeEvents(transition: Transition): string {
  const { emits = [] } = transition;
  const links = typesOf(transition).map((type) => {
    return `${emits.includes(type) ? "" : "sometimes "}[\`${type}\`](event:${type})`;
  });
  return links.join(", ") || "none";
}

/** Draws a machine in DOT. A final state has a double border, and a transition that no call causes is dashed. */
function drawMachine(name: string, { final, transitions }: StateMachine): string {
  const states = new Set(Object.values(transitions).map(({ to }) => to));
  const edges = Object.entries(transitions).flatMap(([transition, value]) =>
    (value.from ?? [null]).map((state) => {
      const label = JSON.stringify(`${transition}\n${labelOf(value)}`);
      const style = value.by ? "" : ", style=dashed";
      return `  ${state === null ? "start" : JSON.stringify(state)} -> ${JSON.stringify(value.to)} [label=${label}${style}]`;
    }),
  );
  return [
    `digraph ${name} {`,
    "  start [shape=point, width=0.14]",
    ...[...states].map((state) => `  ${JSON.stringify(state)}${final.includes(state) ? " [peripheries=2]" : ""}`),
    ...edges,
    "}",
  ].join("\n");
}

function labelOf({ by, on, after = "" }: Transition): string {
  return (by ?? on ?? [`after ${durationOf(after)}`]).join("\n");
}
