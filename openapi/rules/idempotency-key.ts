import { declaredParameters, declaredResponses } from "./resolve.ts";
import { operationRule } from "./rule.ts";

/** Every POST can be repeated safely: it takes an Idempotency-Key, and its response marks a replay. */
export const idempotencyKey = operationRule((operation, context, parents) => {
  if (context.key !== "post") {
    return;
  }
  const parameters = declaredParameters(operation, parents.PathItem, context);
  const parameter = parameters.find(({ in: place, name }) => place === "header" && name === "Idempotency-Key");
  if (!parameter || parameter.required) {
    context.report({ message: "A POST must take the optional header Idempotency-Key." });
  }
  for (const { node, status, location } of declaredResponses(operation, context)) {
    if (status.startsWith("2") && node.headers?.["Idempotency-Replayed"] === undefined) {
      context.report({ message: `Response ${status} of a POST must have the header Idempotency-Replayed.`, location });
    }
  }
});
