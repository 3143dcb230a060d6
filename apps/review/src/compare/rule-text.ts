/** From worst to least. Only `breaking` stops a pull request. */
export const severities = ["breaking", "attention", "additive", "documentation"] as const;
export type Severity = (typeof severities)[number];

export type Judgement = { severity: Severity; todo?: string };

/** `what` says what happened, with {anchor}, {value}, {before} and {after}; `todo` what to do about it. */
export type RuleText = Judgement & { what: string };

/** The same change, judged for who sends what the schema describes and for who reads it. */
export type SchemaRuleText = { what: string; senders: Judgement; readers: Judgement };
