import type { SchemaRuleText } from "./rule-text.ts";

/**
 * What a change of a schema means for who sends it (callers, in requests; receivers, in their answers) and for who
 * reads it (callers, in responses; receivers, in events). What may be sent can grow and what is read can shrink; the
 * other way round it breaks.
 */
export const schemaRules = {
  "field-added": {
    what: "field {anchor} is new: {after}",
    senders: { severity: "additive" },
    readers: { severity: "additive", todo: "Clients ignore fields that they do not know." },
  },
  "required-field-added": {
    what: "field {anchor} is new and required: {after}",
    senders: { severity: "breaking", todo: "Make it optional, or give it to a new operation." },
    readers: { severity: "additive" },
  },
  "field-removed": {
    what: "field {anchor} is gone, was {before}",
    senders: { severity: "breaking", todo: "Keep accepting it, or callers that send it are refused." },
    readers: { severity: "breaking", todo: "Keep it, deprecated, until it is no longer read." },
  },
  "field-ignored": {
    what: "field {anchor} is no longer described, and not refused; was {before}",
    senders: { severity: "attention", todo: "Describe its effect when it is sent." },
    readers: { severity: "breaking", todo: "Keep it, deprecated, until it is no longer read." },
  },
  "field-required": {
    what: "field {anchor} is required now, was optional",
    senders: { severity: "breaking", todo: "Keep it optional, with a default." },
    readers: { severity: "additive" },
  },
  "field-optional": {
    what: "field {anchor} is optional now, was required",
    senders: { severity: "additive" },
    readers: { severity: "breaking", todo: "Keep sending it always." },
  },
  "type-changed": {
    what: "{anchor} is {after}, was {before}",
    senders: { severity: "breaking", todo: "Add a field of the new type in addition." },
    readers: { severity: "breaking", todo: "Add a field of the new type in addition." },
  },
  "type-narrowed": {
    what: "{anchor} is only {after}, was {before}",
    senders: { severity: "breaking", todo: "Keep accepting the old values." },
    readers: { severity: "additive" },
  },
  "type-widened": {
    what: "{anchor} may be {after}, was {before}",
    senders: { severity: "additive" },
    readers: { severity: "breaking", todo: "Add a field for the new type in addition." },
  },
  "null-refused": {
    what: "{anchor} is never null now, was {before}",
    senders: { severity: "breaking", todo: "Keep accepting null." },
    readers: { severity: "additive" },
  },
  "null-allowed": {
    what: "{anchor} may be null now, was {before}",
    senders: { severity: "additive" },
    readers: { severity: "breaking", todo: "Readers rely on a value: keep it, and add a field for the rest." },
  },
  "value-added": {
    what: "{anchor} has the new value {value} in addition to {before}",
    senders: { severity: "additive" },
    readers: {
      severity: "attention",
      todo: "The document did not say that values may be added: announce it, and mark the list with x-extensible.",
    },
  },
  "listed-value-added": {
    what: "{anchor} has the new value {value} in addition to {before}",
    senders: { severity: "additive" },
    readers: { severity: "additive", todo: "Clients must tolerate it: the document says that values may be added." },
  },
  "value-removed": {
    what: "{anchor} no longer has the value {value}, only {after}",
    senders: { severity: "breaking", todo: "Keep accepting it." },
    readers: { severity: "attention", todo: "Tell those that wait for it: it never comes." },
  },
  "values-replaced": {
    what: "{anchor} has only the values {after} now, and none of {before}",
    senders: { severity: "breaking", todo: "Keep accepting the old values." },
    readers: { severity: "breaking", todo: "Add a field for the new values in addition." },
  },
  "values-listed": {
    what: "{anchor} has only the values {after} now, was {before}",
    senders: { severity: "breaking", todo: "Keep accepting the rest." },
    readers: { severity: "additive" },
  },
  "values-freed": {
    what: "{anchor} may be any {after} now, was one of {before}",
    senders: { severity: "additive" },
    readers: { severity: "attention", todo: "Readers that know the list must expect others: announce it." },
  },
  "listed-values-freed": {
    what: "{anchor} may be any {after} now, was one of {before} or a value to come",
    senders: { severity: "additive" },
    readers: { severity: "additive", todo: "Clients expect values that they do not know." },
  },
  "list-opened": {
    what: "{anchor}: x-extensible says that values may be added, and did not",
    senders: { severity: "documentation" },
    readers: { severity: "breaking", todo: "A switch over all values no longer compiles: announce it in a changeset." },
  },
  "list-closed": {
    what: "{anchor}: x-extensible is gone, so no values will be added",
    senders: { severity: "documentation" },
    readers: { severity: "additive" },
  },
  "limit-tightened": {
    what: "{anchor}: {after}, was {before}",
    senders: { severity: "breaking", todo: "Keep the old limit." },
    readers: { severity: "additive" },
  },
  "limit-relaxed": {
    what: "{anchor}: {after}, was {before}",
    senders: { severity: "additive" },
    readers: { severity: "attention", todo: "Readers may have made room for the old limit: announce it." },
  },
  "pattern-added": {
    what: "{anchor} matches {after} now, was without a pattern",
    senders: { severity: "breaking", todo: "Keep accepting the rest." },
    readers: { severity: "additive" },
  },
  "pattern-changed": {
    what: "{anchor} matches {after}, was {before}",
    senders: {
      severity: "breaking",
      todo: "Whether every old value still matches is not computed: accept it with the reason, if so.",
    },
    readers: { severity: "attention", todo: "Readers may check the old pattern: announce it." },
  },
  "pattern-removed": {
    what: "{anchor} need not match {before} any more",
    senders: { severity: "additive" },
    readers: { severity: "attention", todo: "Readers may check the old pattern: announce it." },
  },
  "format-added": {
    what: "{anchor} has the format {after} now, was without",
    senders: { severity: "breaking", todo: "Keep accepting the rest." },
    readers: { severity: "additive" },
  },
  "format-changed": {
    what: "{anchor} has the format {after}, was {before}",
    senders: { severity: "breaking", todo: "Add a field of the new format in addition." },
    readers: { severity: "breaking", todo: "Add a field of the new format in addition." },
  },
  "format-removed": {
    what: "{anchor} no longer has a format, was {before}",
    senders: { severity: "additive" },
    readers: { severity: "breaking", todo: "Readers parse it: keep the format." },
  },
  "default-added": {
    what: "{anchor} defaults to {after} now, was without a default",
    senders: { severity: "attention", todo: "Check that it equals the behavior so far when it was left out." },
    readers: { severity: "documentation" },
  },
  "default-changed": {
    what: "{anchor} defaults to {after}, was {before}",
    senders: { severity: "breaking", todo: "The same request means something else: keep the default." },
    readers: { severity: "documentation" },
  },
  "default-removed": {
    what: "{anchor} no longer has a default, was {before}",
    senders: { severity: "breaking", todo: "The same request means something else: keep the default." },
    readers: { severity: "documentation" },
  },
  closed: {
    what: "{anchor} has no other fields than those described now",
    senders: { severity: "breaking", todo: "Keep accepting other fields." },
    readers: { severity: "additive" },
  },
  "map-closed": {
    what: "{anchor} is empty now, was a map to {before}",
    senders: { severity: "breaking", todo: "Keep accepting its entries." },
    readers: { severity: "breaking", todo: "Keep its entries until they are no longer read." },
  },
  opened: {
    what: "{anchor} may have other fields than those described now",
    senders: { severity: "additive" },
    readers: { severity: "additive", todo: "Clients ignore fields that they do not know." },
  },
  "map-freed": {
    what: "{anchor} has entries that may be anything, was a map to {before}",
    senders: { severity: "additive" },
    readers: { severity: "breaking", todo: "Readers expect each entry to fit its description: keep its schema." },
  },
  "discriminator-added": {
    what: "the forms of {anchor} are told apart by {value} now",
    senders: { severity: "documentation" },
    readers: { severity: "documentation" },
  },
  "discriminator-removed": {
    what: "the forms of {anchor} are no longer told apart by {value}",
    senders: { severity: "attention", todo: "Generated types name the forms by it: announce it." },
    readers: { severity: "breaking", todo: "Generated readers choose the form by it: keep it." },
  },
  "discriminator-changed": {
    what: "the forms of {anchor} are told apart by {after}, were by {before}",
    senders: { severity: "breaking", todo: "Keep the field that names the form." },
    readers: { severity: "breaking", todo: "Keep the field that names the form." },
  },
  "mapping-added": {
    what: "{anchor} names the form {after} by {value} too",
    senders: { severity: "additive" },
    readers: {
      severity: "breaking",
      todo: "Readers know the old names only: answer the new one where it is asked for.",
    },
  },
  "mapping-removed": {
    what: "{anchor} no longer names the form {before} by {value}",
    senders: { severity: "breaking", todo: "Keep accepting it." },
    readers: { severity: "attention", todo: "Tell those that wait for it: it never comes." },
  },
  "mapping-changed": {
    what: "in {anchor} {value} names the form {after}, was {before}",
    senders: { severity: "breaking", todo: "Keep what each name stands for." },
    readers: { severity: "breaking", todo: "Keep what each name stands for." },
  },
  "forms-joined": {
    what: "{anchor} may fit several of its forms at once, was exactly one",
    senders: { severity: "additive" },
    readers: { severity: "attention", todo: "Readers take the first form that fits: announce it." },
  },
  "forms-parted": {
    what: "{anchor} fits exactly one of its forms, was one or several",
    senders: { severity: "breaking", todo: "Keep accepting values that fit several." },
    readers: { severity: "additive" },
  },
  "alternative-added": {
    what: "{anchor} may meet {value} instead of its other conditions",
    senders: { severity: "additive" },
    readers: { severity: "attention", todo: "Readers may rely on the others: announce it." },
  },
  "alternative-removed": {
    what: "{anchor} may no longer meet {value} alone",
    senders: { severity: "breaking", todo: "Keep accepting it." },
    readers: { severity: "additive" },
  },
  "form-added": {
    what: "{anchor} has the new form {value}",
    senders: { severity: "additive" },
    readers: {
      severity: "breaking",
      todo: "Readers know the old forms only: answer the new one where it is asked for.",
    },
  },
  "form-removed": {
    what: "{anchor} no longer has the form {value}",
    senders: { severity: "breaking", todo: "Keep accepting it." },
    readers: { severity: "attention", todo: "Tell those that wait for it: it never comes." },
  },
  "condition-added": {
    what: "{anchor} must meet {value} too",
    senders: { severity: "breaking", todo: "Keep accepting the rest." },
    readers: { severity: "additive" },
  },
  "condition-removed": {
    what: "{anchor} need not meet {value} any more",
    senders: { severity: "additive" },
    readers: { severity: "attention", todo: "Readers may rely on it: announce it." },
  },
  deprecated: {
    what: "{anchor} is deprecated",
    senders: { severity: "attention", todo: "Say until when it works, and what to use instead." },
    readers: { severity: "attention", todo: "Say until when it exists, and what to use instead." },
  },
  undeprecated: {
    what: "{anchor} is no longer deprecated",
    senders: { severity: "additive" },
    readers: { severity: "additive" },
  },
  "keyword-changed": {
    what: "{anchor}: {value} is {after}, was {before}",
    senders: { severity: "attention", todo: "No rule judges this keyword: read it." },
    readers: { severity: "attention", todo: "No rule judges this keyword: read it." },
  },
  "text-changed": {
    what: "{anchor}: {after}, was {before}",
    senders: { severity: "documentation" },
    readers: { severity: "documentation" },
  },
} as const satisfies Record<string, SchemaRuleText>;

export type SchemaRule = keyof typeof schemaRules;
