import type { Rule } from "./rule.ts";

const kebabCase = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** Well-known paths, where RFC 8615 has clients look. */
const wellKnown = ".well-known";
const parameter = /^\{[a-z][A-Za-z0-9]*\}$/;

/** Every path has lowercase words with hyphens, and parameters. Redocly CLI's own rule also reads names of webhooks. */
export const kebabCasePaths: Rule = () => ({
  Paths: {
    PathItem: (_item, context) => {
      const segments = String(context.key).split("/").slice(1);
      if (!segments.every((segment) => kebabCase.test(segment) || parameter.test(segment) || segment === wellKnown)) {
        context.report({ message: "A path must be made of kebab-case words and {parameters}." });
      }
    },
  },
});
