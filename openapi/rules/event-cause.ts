import type { Location, Rule } from "./rule.ts";

/** An event has one kind of cause: the operations that emit it, or x-cause (time, external systems). */
export const eventCause: Rule = () => {
  const emitted = new Set<unknown>();
  const events: { type: string; cause: unknown; location: Location }[] = [];
  return {
    Paths: {
      PathItem: {
        Operation: (operation) => [operation["x-emits"] ?? []].flat().forEach((type) => emitted.add(type)),
      },
    },
    WebhooksMap: {
      PathItem: (item, context) => {
        events.push({ type: String(context.key), cause: item["x-cause"], location: context.location });
      },
    },
    Root: {
      leave: (_root, context) => {
        for (const { type, cause, location } of events) {
          const fault = faultOf(cause, emitted.has(type));
          if (fault) {
            context.report({ message: `The webhook ${type} ${fault}.`, location });
          }
        }
      },
    },
  };
};

function faultOf(cause: unknown, isEmitted: boolean): string | null {
  if (isEmitted) {
    return cause === undefined ? null : "is emitted by an operation, so it must have no x-cause";
  }
  return typeof cause === "string" && cause.endsWith(".")
    ? null
    : "is emitted by no operation, so x-cause must say in a sentence what causes it";
}
