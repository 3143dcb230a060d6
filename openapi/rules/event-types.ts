import type { Location, Rule } from "./rule.ts";

/** The enum of EventType, the webhooks and the events that operations emit are one list. */
export const eventTypes: Rule = () => {
  let types: readonly unknown[] = [];
  const emitted: { value: unknown; location: Location }[] = [];
  return {
    Schema: (schema, context) => {
      if (isEventType(context.location)) {
        types = schema.enum ?? [];
      }
    },
    Paths: {
      PathItem: {
        Operation: (operation, context) => {
          const location = context.location.child(["x-emits"]).key();
          emitted.push(...[operation["x-emits"] ?? []].flat().map((value) => ({ value, location })));
        },
      },
    },
    Root: {
      leave: (root, context) => {
        const webhooks = Object.keys(root.webhooks ?? {});
        const location = context.location.child(["webhooks"]).key();
        for (const type of types.filter((name) => !webhooks.includes(String(name)))) {
          context.report({ message: `The event type ${String(type)} must have a webhook.`, location });
        }
        for (const name of webhooks.filter((type) => !types.includes(type))) {
          context.report({ message: `The webhook ${name} must be in the enum of EventType.`, location });
        }
        const known = new Set([...types, ...webhooks]);
        for (const { value, location: place } of emitted.filter((entry) => !known.has(entry.value))) {
          context.report({ message: `x-emits names ${String(value)}, which is not an event type.`, location: place });
        }
      },
    },
  };
};

/** The component EventType: a file with that name, or a component of a bundled description. */
function isEventType({ source, pointer }: Location): boolean {
  return (pointer === "#/" && source.absoluteRef.endsWith("/EventType.yaml")) || pointer.endsWith("/schemas/EventType");
}
