/** From worst to least. Only `breaking` stops a pull request. */
export const severities = ["breaking", "attention", "additive", "documentation"] as const;
export type Severity = (typeof severities)[number];

export type Judgement = { severity: Severity; todo?: string };

const judgement =
  (severity: Severity) =>
  (todo?: string): Judgement => ({ severity, ...(todo !== undefined && { todo }) });

export const breaking = judgement("breaking");
export const attention = judgement("attention");
export const additive = judgement("additive");
export const documentation = judgement("documentation");

/** `what` describes the change, with {anchor}, {value}, {before} and {after}. `todo` says what to do about it. */
export type RuleText = Judgement & { what: string };

/** A change judged for senders and for readers of a schema. It is additive where no judgement is given. */
export type SchemaRuleText = { what: string; senders?: Judgement; readers?: Judgement };
