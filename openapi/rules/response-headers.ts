import { declaredResponses } from "./resolve.ts";
import { operationRule } from "./rule.ts";

const onEveryResponse = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const onStatus: Record<string, readonly string[]> = {
  "401": ["WWW-Authenticate"],
  "429": ["Retry-After"],
  "503": ["Retry-After"],
};

/** Every response names the headers that it carries, by reference, so that each is described once. */
export const responseHeaders = operationRule((operation, context) => {
  for (const { node, status, location } of declaredResponses(operation, context)) {
    for (const name of [...onEveryResponse, ...(onStatus[status] ?? [])]) {
      if (!isReference(node.headers?.[name])) {
        context.report({ message: `Response ${status} must refer to the header ${name}.`, location });
      }
    }
  }
});

function isReference(header: unknown): boolean {
  return typeof header === "object" && header !== null && "$ref" in header;
}
