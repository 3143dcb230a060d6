import type { Operation, PathItem, Rule, RuleContext, Server } from "./rule.ts";

/**
 * What only the sandbox has is told by its path, by `x-sandbox: true`, by its one server and by its tag, all or none of them: readers see it, and
 * production leaves out what is marked.
 */
export const sandboxPaths: Rule = () => {
  let sandbox: Server | undefined;
  return {
    Root: {
      enter: ({ servers = [] }) => {
        sandbox = servers.find(({ description }) => description === "Sandbox");
      },
    },
    Paths: {
      PathItem: {
        enter: (item, context) => checkPath(item, sandbox, context),
        Operation: (operation, context, { PathItem }) => checkTag(operation, PathItem, context),
      },
    },
  };
};

function checkPath(item: PathItem, sandbox: Server | undefined, context: RuleContext): void {
  const isUnderSandbox = /^\/(?:api\/v1\/)?sandbox\//.test(String(context.key));
  const mark = item["x-sandbox"];
  if (isUnderSandbox ? mark !== true : mark !== undefined) {
    context.report({ message: "Paths under /sandbox, and no others, must say x-sandbox: true." });
  }
  const urls = (item.servers ?? []).map(({ url }) => url);
  if (mark === true && (urls.length !== 1 || urls[0] !== sandbox?.url)) {
    context.report({ message: "A path of the sandbox must have one server, the Sandbox of the document." });
  }
}

function checkTag({ tags = [] }: Operation, item: PathItem, context: RuleContext): void {
  const isTagged = tags.includes("Sandbox");
  if (isTagged !== (item["x-sandbox"] === true)) {
    context.report({ message: "Operations of the sandbox, and no others, must have the tag Sandbox." });
  }
}
