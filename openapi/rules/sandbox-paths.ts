import type { Operation, PathItem, Rule, RuleContext } from "./rule.ts";

/** A path of the sandbox, `x-sandbox: true` and the tag go together: production leaves out what is marked. */
export const sandboxPaths: Rule = () => ({
  Paths: {
    PathItem: {
      enter: checkPath,
      Operation: (operation, context, { PathItem }) => checkTag(operation, PathItem, context),
    },
  },
});

function checkPath(item: PathItem, context: RuleContext): void {
  const isUnderSandbox = /^\/(?:api\/v1\/)?sandbox\//.test(String(context.key));
  const mark = item["x-sandbox"];
  if (isUnderSandbox ? mark !== true : mark !== undefined) {
    context.report({ message: "Paths under /sandbox, and no others, must say x-sandbox: true." });
  }
}

function checkTag({ tags = [] }: Operation, item: PathItem, context: RuleContext): void {
  const isTagged = tags.includes("Sandbox");
  if (isTagged !== (item["x-sandbox"] === true)) {
    context.report({ message: "Operations of the sandbox, and no others, must have the tag Sandbox." });
  }
}
