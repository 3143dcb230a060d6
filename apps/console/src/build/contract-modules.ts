import {
  eventTypes,
  exampleEvent,
  openapi,
  operations,
  problemCodes,
  stateMachines,
  type OperationPolicy,
  type StateMachine,
} from "@gateway/contract";
import type { Plugin } from "vite";
import { causeInWords } from "./cause-words.ts";
import { listedValues } from "./listed-values.ts";
import { operationForms } from "./operation-forms.ts";

/**
 * The parts of the contract that the page needs, as modules made by the build, because the whole document is a
 * megabyte.
 */
export function contractModules(): Plugin {
  const modules: Readonly<Record<string, () => string>> = {
    "virtual:operations": () => exported("operations", operationRows()),
    "virtual:state-machines": () => exported("stateMachines", drawnMachines()),
    "virtual:events": () =>
      exported("eventExamples", Object.fromEntries(eventTypes.map((type) => [type, exampleEvent(type)]))),
    "virtual:error-codes": () => exported("errorCodes", Object.keys(problemCodes)),
    "virtual:listed-values": () => exported("listedValues", listedValues()),
    "virtual:id-prefixes": () => exported("idPrefixes", idPrefixes()),
    "virtual:operation-forms": formLoaders,
    ...Object.fromEntries(
      formServices().map((service) => [`${formsOf}${service}`, () => exported("forms", formsOfService(service))]),
    ),
  };
  return {
    name: "contract-modules",
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load: (id) => modules[id.slice(1)]?.() ?? null,
  };
}

function exported(name: string, value: unknown): string {
  return `export const ${name} = ${JSON.stringify(value)};`;
}

/** The summary of an operation in the document, or its id. */
function summariesOf(): (operationId: string) => string {
  const summaries = new Map<string, string>();
  for (const item of Object.values(openapi().paths)) {
    // An item has operations, and the parts that they share, which have neither field.
    for (const operation of Object.values(item) as { operationId?: string; summary?: string }[]) {
      summaries.set(operation.operationId ?? "", operation.summary ?? "");
    }
  }
  return (operationId) => summaries.get(operationId) ?? operationId;
}

function operationRows(): Record<string, unknown> {
  const summaryOf = summariesOf();
  return Object.fromEntries(
    Object.values<OperationPolicy>(operations).map((one) => {
      const { operationId, method, path, service, permission, sandboxOnly } = one;
      const { idempotencyKey, personRequired, freshSignInSeconds } = one;
      const summary = summaryOf(operationId);
      return [
        operationId,
        {
          ...{ method, path, service, permission, sandboxOnly, summary },
          ...{ idempotencyKey, personRequired, freshSignInSeconds },
        },
      ];
    }),
  );
}

const formsOf = "virtual:operation-forms/";

function formServices(): string[] {
  return [...new Set(Object.values<OperationPolicy>(operations).map(({ service }) => service))];
}

/** The forms of a service are a file of their own, loaded when one of its operations is tried. */
function formLoaders(): string {
  const entries = formServices().map((one) => `${JSON.stringify(one)}: () => import(${JSON.stringify(formsOf + one)})`);
  return `export const formLoaders = { ${entries.join(", ")} };`;
}

function formsOfService(service: string): Record<string, unknown> {
  const wanted = Object.values<OperationPolicy>(operations).filter((one) => one.service === service);
  const forms = operationForms();
  return Object.fromEntries(wanted.map(({ operationId }) => [operationId, forms.get(operationId)]));
}

function drawnMachines(): Record<string, unknown> {
  const summaryOf = summariesOf();
  return Object.fromEntries(
    Object.entries<StateMachine>(stateMachines).map(([name, { states, final, transitions }]) => [
      name,
      {
        states,
        final,
        transitions: Object.entries(transitions).map(([transition, { from, to, by, on, after }]) => ({
          name: transition,
          from,
          to,
          cause: causeInWords({ by, on, after }, summaryOf),
        })),
      },
    ]),
  );
}

/** `wal` is the prefix of a `WalletId`: the pattern of each id in the document gives its prefix. */
function idPrefixes(): Record<string, string> {
  // The document is linted, so its schemas are objects and a pattern is text.
  const schemas = Object.entries(openapi().components["schemas"] ?? {}) as [string, { pattern?: string }][];
  return Object.fromEntries(
    schemas.flatMap(([name, { pattern = "" }]) => {
      const [, prefix] = /^\^([a-z]+)_/.exec(pattern) ?? [];
      return prefix !== undefined && name.endsWith("Id") ? [[prefix, name.slice(0, -2)]] : [];
    }),
  );
}
