import { declaredParameters } from "./resolve.ts";
import { isForwardable } from "./service-named.ts";
import { operationRule } from "./rule.ts";

const always = ["400", "401", "403", "429", "431", "500", "503"];
const withPathParameter = ["404"];
const withBody = ["413", "415"];
const onPost = ["409"];
const ofAnUpstream = ["502", "504"];

/** Every operation declares the refusals that a caller can meet there. */
export const errorResponses = operationRule((operation, context, parents) => {
  const parameters = declaredParameters(operation, parents.PathItem, context);
  const required = [
    ...always,
    ...(parameters.some((parameter) => parameter.in === "path") ? withPathParameter : []),
    ...(operation.requestBody === undefined ? [] : withBody),
    ...(context.key === "post" ? onPost : []),
    ...(isForwardable(parents.PathItem["x-service"]) ? ofAnUpstream : []),
  ];
  for (const status of required) {
    if (operation.responses?.[status] === undefined) {
      context.report({
        message: `The operation must declare the response ${status}.`,
        location: context.location.child(["responses"]).key(),
      });
    }
  }
});
