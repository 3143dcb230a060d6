import { bodySchema, follow, hasRequired, property, type Resolved } from "./resolve.ts";
import type { PathItem, RequestBody, Rule, RuleContext } from "./rule.ts";

/** Every webhook is a signed POST of an event whose type is its name, and explains the receiver's responses. */
export const webhookShape: Rule = () => ({
  WebhooksMap: (webhooks, context) => {
    for (const [name, reference] of Object.entries(webhooks)) {
      const item = follow(reference, context.location.source.absoluteRef, context);
      for (const fault of item ? faultsOf(name, item, context) : []) {
        context.report({ message: `The webhook ${name} ${fault}.`, location: context.location.child([name]).key() });
      }
    }
  },
});

function faultsOf(name: string, item: Resolved<PathItem>, context: RuleContext): string[] {
  const { post } = item.node;
  if (!post) {
    return ["must be a POST"];
  }
  const body = follow(post.requestBody, item.file, context);
  return [
    ...(isSigned(item, context) ? [] : ["must require the header X-Service-Signature"]),
    ...(hasHeader("X-Request-Id", item, context) ? [] : ["must have the header X-Request-Id"]),
    ...(body ? eventFaults(name, body, context) : ["must have a body"]),
    ...["2XX", "default"]
      .filter((status) => post.responses?.[status] === undefined)
      .map((status) => `must say what the response ${status} means`),
  ];
}

function isSigned(item: Resolved<PathItem>, context: RuleContext): boolean {
  return hasHeader("X-Service-Signature", item, context, { isRequired: true });
}

function hasHeader(
  name: string,
  { node, file }: Resolved<PathItem>,
  context: RuleContext,
  { isRequired = false } = {},
): boolean {
  return (node.post?.parameters ?? []).some((reference) => {
    const parameter = follow(reference, file, context)?.node;
    return parameter?.in === "header" && parameter.name === name && (parameter.required === true || !isRequired);
  });
}

function eventFaults(name: string, body: Resolved<RequestBody>, context: RuleContext): string[] {
  const schema = bodySchema(body, context);
  const isEvent = hasRequired(schema, ["id", "type", "created", "data", "livemode"]);
  if (!isEvent || !hasRequired(property(schema, "data", context), ["object"])) {
    return ["must carry id, type, created, data.object and livemode"];
  }
  return property(schema, "type", context)?.node.const === name ? [] : ["must have its name as the const of type"];
}
