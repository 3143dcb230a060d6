import { join } from "node:path";
import { declaredParameters } from "../rules/resolve.ts";
import { operationRule, type Operation, type Parameter, type Reference } from "../rules/rule.ts";

/** What decides which of the shared parts an operation gets. */
type Facts = {
  isPost: boolean;
  hasBody: boolean;
  /** Whether its path names one thing. */
  isById: boolean;
  isList: boolean;
};

type When = (facts: Facts) => boolean;

const always: When = () => true;
const onPost: When = ({ isPost }) => isPost;
const withBody: When = ({ hasBody }) => hasBody;

/** Which operation gets which response; of several of one status, the first that fits. */
const responses: readonly (readonly [status: string, component: string, when: When])[] = [
  ["400", "InvalidBodyRequest", withBody],
  ["400", "InvalidListRequest", ({ isList }) => isList],
  ["400", "InvalidId", ({ isById }) => isById],
  ["400", "InvalidRequest", always],
  ["401", "Unauthenticated", always],
  ["403", "Forbidden", always],
  ["404", "NotFound", ({ isById }) => isById],
  ["409", "IdempotencyConflict", onPost],
  ["413", "PayloadTooLarge", withBody],
  ["415", "UnsupportedMediaType", withBody],
  ["429", "RateLimited", always],
  ["431", "HeadersTooLarge", always],
  ["500", "InternalError", always],
  ["503", "Unavailable", always],
];

/** The headers of a success. */
const headers: readonly (readonly [name: string, when: When])[] = [
  ["X-Request-Id", always],
  ["X-RateLimit-Limit", always],
  ["X-RateLimit-Remaining", always],
  ["X-RateLimit-Reset", always],
  ["Idempotency-Replayed", onPost],
];

const parameters: readonly (readonly [component: string, when: When])[] = [["IdempotencyKey", onPost]];

const credentials = ["apiKey", "accessToken", "oauth2"];

/**
 * An operation says `x-permission` and what is its own; here it gets what all operations have, before anything else reads the
 * document. What it writes itself wins: exceptions are written out. The document that comes of it is what is linted and published.
 */
export const completeOperations = operationRule((operation, context, { PathItem }) => {
  const { "x-permission": permission } = operation;
  if (permission === undefined) {
    return;
  }
  const declared = declaredParameters(operation, PathItem, context);
  const facts = factsOf(String(context.key), operation, declared);
  delete operation["x-permission"];
  operation.security ??= credentials.map((credential) => ({ [credential]: [permission] }));
  addParameters(operation, facts);
  addResponses(operation, facts);
});

function factsOf(method: string, { requestBody }: Operation, declared: readonly Parameter[]): Facts {
  return {
    isPost: method === "post",
    hasBody: requestBody !== undefined,
    isById: declared.some((parameter) => parameter.in === "path"),
    isList: declared.some((parameter) => parameter.in === "query" && parameter.name === "cursor"),
  };
}

function addParameters(operation: Operation, facts: Facts): void {
  const added = parameters.filter(([, when]) => when(facts)).map(([component]) => refer("parameters", component));
  if (added.length > 0) {
    operation.parameters = [...(operation.parameters ?? []), ...added];
  }
}

function addResponses(operation: Operation, facts: Facts): void {
  const own = (operation.responses ??= {});
  for (const [status, component, when] of responses) {
    if (when(facts)) {
      own[status] ??= refer("responses", component);
    }
  }
  for (const [status, response] of Object.entries(own)) {
    if (status.startsWith("2") && !("$ref" in response)) {
      response.headers = { ...headersOf(facts), ...response.headers };
    }
  }
}

function headersOf(facts: Facts): Record<string, Reference> {
  return Object.fromEntries(
    headers.filter(([, when]) => when(facts)).map(([name]) => [name, refer("headers", name)] as const),
  );
}

/** The whole path, which means the same in every file. */
function refer(kind: string, name: string): Reference {
  return { $ref: join(import.meta.dirname, "../components", kind, "shared", `${name}.yaml`) };
}
