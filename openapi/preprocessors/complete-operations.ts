import { isForwardable } from "../rules/service-named.ts";
import { declaredParameters, declaredResponses } from "../rules/resolve.ts";
import {
  operationRule,
  type Operation,
  type Parameter,
  type Parents,
  type Reference,
  type Response,
  type Rule,
  type RuleContext,
} from "../rules/rule.ts";
import {
  codesShownBy,
  createSharedComponents,
  describeOwnCodes,
  pathOf,
  type SharedComponents,
} from "./problem-responses.ts";

/** Properties that decide which of the shared parts an operation gets. */
type Facts = {
  isPost: boolean;
  hasBody: boolean;
  /** Whether its path names one thing. */
  isById: boolean;
  isList: boolean;
  isForPeople: boolean;
  needsFreshSignIn: boolean;
  /** Whether its service may be external, behind the gateway. */
  mayBeForwarded: boolean;
};

type When = (facts: Facts) => boolean;

const always: When = () => true;
const onPost: When = ({ isPost }) => isPost;
const withBody: When = ({ hasBody }) => hasBody;
const whenForwarded: When = ({ mayBeForwarded }) => mayBeForwarded;

/** The responses that operations get; of several with one status, the first that fits. */
const responses: readonly (readonly [status: string, component: string, when: When])[] = [
  ["400", "InvalidBodyRequest", withBody],
  ["400", "InvalidListRequest", ({ isList }) => isList],
  ["400", "InvalidId", ({ isById }) => isById],
  ["400", "InvalidRequest", always],
  ["401", "FreshSignInRequired", ({ needsFreshSignIn }) => needsFreshSignIn],
  ["401", "Unauthenticated", always],
  ["403", "PersonRequired", ({ isForPeople }) => isForPeople],
  ["403", "Forbidden", always],
  ["404", "NotFound", ({ isById }) => isById],
  ["409", "IdempotencyConflict", onPost],
  ["413", "PayloadTooLarge", withBody],
  ["415", "UnsupportedMediaType", withBody],
  ["429", "RateLimited", always],
  ["431", "HeadersTooLarge", always],
  ["500", "InternalError", always],
  ["502", "UpstreamFailed", whenForwarded],
  ["503", "Unavailable", always],
  ["504", "UpstreamTimeout", whenForwarded],
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
 * Adds the parts that all operations have to an operation, which names only `x-permission` and its own. It runs before
 * any other reader of the document. Parts that an operation has itself win, so exceptions are written out. The
 * completed document is linted and published. `x-problems` lists an operation's own refusals; published, it has all
 * codes of its responses.
 */
export const completeOperations: Rule = () => {
  const components = createSharedComponents();
  return operationRule((operation, context, parents) => {
    completeOperation(operation, { context, parents, components });
  })();
};

type Place = { context: RuleContext; parents: Parents; components: SharedComponents };

function completeOperation(operation: Operation, { context, parents: { PathItem }, components }: Place): void {
  const { "x-permission": permission } = operation;
  if (permission === undefined) {
    return;
  }
  const declared = declaredParameters(operation, PathItem, context);
  const facts = factsOf(operation, { method: String(context.key), declared, service: PathItem["x-service"] });
  delete operation["x-permission"];
  operation.security ??= credentials.map((credential) => ({ [credential]: [permission] }));
  addParameters(operation, facts);
  const written = declaredResponses(operation, context).map(({ node }) => node);
  const shared = responsesFor(facts);
  addProblems(operation, { written, shared, components });
  addResponses(operation, shared);
  addHeaders(operation, facts);
}

type Known = { method: string; declared: readonly Parameter[]; service: unknown };

function factsOf(operation: Operation, { method, declared, service }: Known): Facts {
  return {
    isPost: method === "post",
    hasBody: operation.requestBody !== undefined,
    isForPeople: operation["x-person"] !== undefined,
    needsFreshSignIn: operation["x-fresh-sign-in"] !== undefined,
    mayBeForwarded: isForwardable(service),
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

/** The shared response of each status that fits the operation. */
function responsesFor(facts: Facts): Map<string, string> {
  const fitting = responses.filter(([, , when]) => when(facts)).toReversed();
  return new Map(fitting.map(([status, component]) => [status, component]));
}

type KnownResponses = {
  /** The responses that the operation writes itself. */
  written: readonly Response[];
  shared: ReadonlyMap<string, string>;
  components: SharedComponents;
};

function addProblems(operation: Operation, { written, shared, components }: KnownResponses): void {
  const registry = components.registry();
  const readShared = (name: string | undefined) => (name === undefined ? null : components.response(name));
  const own = operation["x-problems"] ?? [];
  const responsesOf = (operation.responses ??= {});
  const byStatus = Map.groupBy(own, (code) => String(registry[code]?.status));
  for (const [status, codes] of byStatus) {
    if (status !== "undefined") {
      responsesOf[status] ??= describeOwnCodes(registry, codes, readShared(shared.get(status)));
    }
  }
  const added = [...shared].filter(([status]) => responsesOf[status] === undefined || byStatus.has(status));
  const shown = [...written, ...added.map(([, component]) => readShared(component))].flatMap((one) =>
    one ? codesShownBy(one) : [],
  );
  const order = Object.keys(registry);
  operation["x-problems"] = [...new Set([...shown, ...own])].toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}

function addResponses(operation: Operation, shared: ReadonlyMap<string, string>): void {
  const own = (operation.responses ??= {});
  for (const [status, component] of shared) {
    own[status] ??= refer("responses", component);
  }
}

function addHeaders({ responses: own = {} }: Operation, facts: Facts): void {
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

function refer(kind: string, name: string): Reference {
  return { $ref: pathOf(kind, name) };
}
