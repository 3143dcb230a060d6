import { bodySchema, declaredParameters, declaredResponses, hasRequired, property } from "./resolve.ts";
import { operationRule } from "./rule.ts";

/** An operation that returns an array is a list: it takes limit and cursor, and its response has hasMore. */
export const listShape = operationRule((operation, context, parents) => {
  const lists = declaredResponses(operation, context).filter((response) => {
    const data = property(bodySchema(response, context), "data", context);
    return response.status.startsWith("2") && data?.node.type === "array";
  });
  for (const list of lists) {
    const meta = property(bodySchema(list, context), "meta", context);
    if (!hasRequired(meta, ["hasMore", "nextCursor"])) {
      context.report({ message: "A list must require hasMore and nextCursor in meta.", location: list.location });
    }
  }
  const parameters = lists.length > 0 ? declaredParameters(operation, parents.PathItem, context) : null;
  for (const name of ["limit", "cursor"]) {
    if (parameters && !parameters.some((parameter) => parameter.in === "query" && parameter.name === name)) {
      context.report({ message: `A list must take the query parameter ${name}.` });
    }
  }
});
