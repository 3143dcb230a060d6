import { bodySchema, declaredResponses, hasRequired, property, type DeclaredResponse } from "./resolve.ts";
import { operationRule, type RuleContext } from "./rule.ts";

/** Every response has its envelope: data and meta for a success, error and meta for a failure. */
export const envelope = operationRule((operation, context) => {
  for (const response of declaredResponses(operation, context)) {
    const fault = response.status.startsWith("2") ? successFault(response, context) : errorFault(response, context);
    if (fault) {
      context.report({ message: `Response ${response.status} ${fault}.`, location: response.location });
    }
  }
});

function successFault(response: DeclaredResponse, context: RuleContext): string | null {
  const schema = bodySchema(response, context);
  if (!hasRequired(schema, ["data", "meta"])) {
    return "must be a JSON object that requires data and meta";
  }
  return hasRequired(property(schema, "meta", context), ["requestId", "timestamp"])
    ? null
    : "must require requestId and timestamp in meta";
}

function errorFault(response: DeclaredResponse, context: RuleContext): string | null {
  const schema = bodySchema(response, context);
  if (!hasRequired(schema, ["error", "meta"])) {
    return "must be a JSON object that requires error and meta";
  }
  if (!hasRequired(property(schema, "error", context), ["code", "message"])) {
    return "must require code and message in error";
  }
  return hasRequired(property(schema, "meta", context), ["requestId"]) ? null : "must require requestId in meta";
}
