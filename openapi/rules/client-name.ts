import type { Operation, PathItem, Rule } from "./rule.ts";

const ofAll = [/^(?!sandbox\.)[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/, "resource.method, such as wallets.list"] as const;
const ofSandbox = [
  /^sandbox\.[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/,
  "sandbox.resource.method, such as sandbox.clock.get",
] as const;

/** Every operation has a name in the client that no other has. Those of the sandbox are named so. */
export const clientName: Rule = () => {
  const taken = new Set<unknown>();
  const check = (operation: Operation, item: PathItem): string | null => {
    const name = operation["x-client"];
    const [form, example] = item["x-sandbox"] === true ? ofSandbox : ofAll;
    if (typeof name !== "string" || !form.test(name)) {
      return `x-client must be ${example}.`;
    }
    return taken.has(name) ? `Another operation has the x-client ${name}.` : null;
  };
  return {
    Paths: {
      PathItem: {
        Operation: (operation, context, { PathItem: item }) => {
          const message = check(operation, item);
          taken.add(operation["x-client"]);
          if (message) {
            context.report({ message });
          }
        },
      },
    },
  };
};
