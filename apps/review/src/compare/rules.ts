import { interfaceRules } from "./interface-rules.ts";
import { additive, type RuleText, type SchemaRuleText } from "./rule-text.ts";
import { schemaRules, type SchemaRule } from "./schema-rules.ts";

/** The direction of a message: a caller's request, our response, an event to a receiver, or a receiver's response. */
export type Channel = "request" | "response" | "event" | "answer";

export type RuleName = `${Channel}-${SchemaRule}` | keyof typeof interfaceRules;

/** Whether those outside send what goes through the channel, or read it. */
const sides: Readonly<Record<Channel, "senders" | "readers">> = {
  request: "senders",
  response: "readers",
  event: "readers",
  answer: "senders",
};

/** All judgements of the review, by the name of the rule. */
export const rules: Readonly<Record<RuleName, RuleText>> = {
  ...interfaceRules,
  ...schemaRulesOf("request"),
  ...schemaRulesOf("response"),
  ...schemaRulesOf("event"),
  ...schemaRulesOf("answer"),
};

function schemaRulesOf<Name extends Channel>(channel: Name): Record<`${Name}-${SchemaRule}`, RuleText> {
  const texts = Object.entries<SchemaRuleText>(schemaRules).map(([name, text]) => [
    `${channel}-${name}`,
    { ...(text[sides[channel]] ?? additive()), what: `${text.what} (${channel})` },
  ]);
  // The names are those of the table, with the channel in front.
  return Object.fromEntries(texts) as Record<`${Name}-${SchemaRule}`, RuleText>;
}
