import type { Rule } from "./rule.ts";

/** Every request body and every response body has at least one named example. */
export const namedExamples: Rule = () => ({
  MediaType: (mediaType, context) => {
    if (Object.keys(mediaType.examples ?? {}).length === 0) {
      context.report({ message: "A body must have at least one named example.", location: context.location.key() });
    }
  },
});
