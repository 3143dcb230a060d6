import { basename } from "node:path";
import type { Location, Rule, RuleContext } from "./rule.ts";

/** The start of a walk, and the file that its references are relative to. */
type Start = { node: unknown; file: string };
type Reached = Map<string, { node: unknown; location: Location }>;

/**
 * A request is closed, and data that callers read is open. So a component that holds a closed object is either sent or
 * read, never both, and one with an extensible list is read.
 */
export const oneDirection: Rule = () => {
  const sent: Start[] = [];
  const read: Start[] = [];
  return {
    Paths: {
      PathItem: {
        Operation: ({ parameters, requestBody, responses }, context, { PathItem }) => {
          const file = context.location.source.absoluteRef;
          sent.push({ node: [PathItem.parameters, parameters, requestBody], file });
          read.push({ node: responses, file });
        },
      },
    },
    WebhooksMap: (webhooks, context) => {
      read.push({ node: webhooks, file: context.location.source.absoluteRef });
    },
    Root: {
      leave: (_root, context) => {
        const readable = reach(read, context);
        for (const [id, { node, location }] of reach(sent, context)) {
          const fault = faultOf(JSON.stringify(node), readable.has(id));
          if (fault) {
            context.report({ message: `The component ${nameOf(location)} ${fault}.`, location });
          }
        }
      },
    },
  };
};

function faultOf(text: string, isRead: boolean): string | null {
  if (text.includes('"x-extensible":true')) {
    return "is extensible, which is for data that callers read, and reached from a request: split it";
  }
  return isRead && text.includes('"additionalProperties":false')
    ? "is closed for requests and open for responses, and reached from both: split it"
    : null;
}

/** Every component that a start refers to, directly or through others. */
function reach(starts: readonly Start[], context: RuleContext, found: Reached = new Map()): Reached {
  for (const { node, file } of starts) {
    for (const value of typeof node === "object" && node !== null ? Object.values(node) : []) {
      reach([{ node: value, file }], context, found);
    }
    const { node: target, location } = isReference(node) ? context.resolve<unknown>(node, file) : {};
    const id = `${location?.source.absoluteRef}${location?.pointer}`;
    if (location && !found.has(id)) {
      found.set(id, { node: target, location });
      reach([{ node: target, file: location.source.absoluteRef }], context, found);
    }
  }
  return found;
}

function isReference(node: unknown): node is { $ref: string } {
  return typeof node === "object" && node !== null && "$ref" in node && typeof node.$ref === "string";
}

/** The name of the component's file, or its name in a bundled description. */
function nameOf({ source, pointer }: Location): string {
  return pointer === "#/" ? basename(source.absoluteRef, ".yaml") : (pointer.split("/").at(-1) ?? pointer);
}
