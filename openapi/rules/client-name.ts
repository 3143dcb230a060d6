import type { Operation, Rule } from "./rule.ts";

/** Every operation says what it is called in the client, and no two are called the same. */
export const clientName: Rule = () => {
  const taken = new Set<unknown>();
  const check = (operation: Operation): string | null => {
    const name = operation["x-client"];
    if (typeof name !== "string" || !/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/.test(name)) {
      return "x-client must be resource.method, such as wallets.list.";
    }
    return taken.has(name) ? `Another operation has the x-client ${name}.` : null;
  };
  return {
    Paths: {
      PathItem: {
        Operation: (operation, context) => {
          const message = check(operation);
          taken.add(operation["x-client"]);
          if (message) {
            context.report({ message });
          }
        },
      },
    },
  };
};
