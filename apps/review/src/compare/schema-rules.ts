import { additive, attention, breaking, documentation, type SchemaRuleText } from "./rule-text.ts";

/**
 * Judges a change of a schema for its senders and its readers. What may be sent can grow and what is read can shrink;
 * the other way round it breaks. A side that is not judged is additive.
 */
export const schemaRules = {
  "field-added": {
    what: "field {anchor} is new: {after}",
    readers: additive("Clients ignore fields that they do not know."),
  },
  "required-field-added": {
    what: "field {anchor} is new and required: {after}",
    senders: breaking("Make it optional, or give it to a new operation."),
  },
  "field-removed": {
    what: "field {anchor} is gone, was {before}",
    senders: breaking("Keep accepting it, or callers that send it are refused."),
    readers: breaking("Keep it, deprecated, until it is no longer read."),
  },
  "field-ignored": {
    what: "field {anchor} is no longer described, and not refused; was {before}",
    senders: attention("Describe its effect when it is sent."),
    readers: breaking("Keep it, deprecated, until it is no longer read."),
  },
  "field-required": {
    what: "field {anchor} is required now, was optional",
    senders: breaking("Keep it optional, with a default."),
  },
  "field-optional": {
    what: "field {anchor} is optional now, was required",
    readers: breaking("Keep sending it always."),
  },
  "type-changed": {
    what: "{anchor} is {after}, was {before}",
    senders: breaking("Add a field of the new type in addition."),
    readers: breaking("Add a field of the new type in addition."),
  },
  "type-narrowed": {
    what: "{anchor} is only {after}, was {before}",
    senders: breaking("Keep accepting the old values."),
  },
  "type-widened": {
    what: "{anchor} may be {after}, was {before}",
    readers: breaking("Add a field for the new type in addition."),
  },
  "null-refused": { what: "{anchor} is never null now, was {before}", senders: breaking("Keep accepting null.") },
  "null-allowed": {
    what: "{anchor} may be null now, was {before}",
    readers: breaking("Readers rely on a value: keep it, and add a field for the rest."),
  },
  "value-added": {
    what: "{anchor} has the new value {value} in addition to {before}",
    readers: attention(
      "The document did not say that values may be added: announce it, and mark the list with x-extensible.",
    ),
  },
  "listed-value-added": {
    what: "{anchor} has the new value {value} in addition to {before}",
    readers: additive("Clients must tolerate it: the document says that values may be added."),
  },
  "value-removed": {
    what: "{anchor} no longer has the value {value}, only {after}",
    senders: breaking("Keep accepting it."),
    readers: attention("Tell those that wait for it: it never comes."),
  },
  "values-replaced": {
    what: "{anchor} has only the values {after} now, and none of {before}",
    senders: breaking("Keep accepting the old values."),
    readers: breaking("Add a field for the new values in addition."),
  },
  "values-listed": {
    what: "{anchor} has only the values {after} now, was {before}",
    senders: breaking("Keep accepting the rest."),
  },
  "values-freed": {
    what: "{anchor} may be any {after} now, was one of {before}",
    readers: attention("Readers that know the list must expect others: announce it."),
  },
  "listed-values-freed": {
    what: "{anchor} may be any {after} now, was one of {before} or a value to come",
    readers: additive("Clients expect values that they do not know."),
  },
  "list-opened": {
    what: "{anchor}: x-extensible says that values may be added, and did not",
    senders: documentation(),
    readers: breaking("A switch over all values no longer compiles: announce it in a changeset."),
  },
  "list-closed": { what: "{anchor}: x-extensible is gone, so no values will be added", senders: documentation() },
  "limit-tightened": { what: "{anchor}: {after}, was {before}", senders: breaking("Keep the old limit.") },
  "limit-relaxed": {
    what: "{anchor}: {after}, was {before}",
    readers: attention("Readers may have made room for the old limit: announce it."),
  },
  "pattern-added": {
    what: "{anchor} matches {after} now, was without a pattern",
    senders: breaking("Keep accepting the rest."),
  },
  "pattern-changed": {
    what: "{anchor} matches {after}, was {before}",
    senders: breaking("Whether every old value still matches is not computed: accept it with the reason, if so."),
    readers: attention("Readers may check the old pattern: announce it."),
  },
  "pattern-removed": {
    what: "{anchor} need not match {before} any more",
    readers: attention("Readers may check the old pattern: announce it."),
  },
  "format-added": {
    what: "{anchor} has the format {after} now, was without",
    senders: breaking("Keep accepting the rest."),
  },
  "format-changed": {
    what: "{anchor} has the format {after}, was {before}",
    senders: breaking("Add a field of the new format in addition."),
    readers: breaking("Add a field of the new format in addition."),
  },
  "format-removed": {
    what: "{anchor} no longer has a format, was {before}",
    readers: breaking("Readers parse it: keep the format."),
  },
  "default-added": {
    what: "{anchor} defaults to {after} now, was without a default",
    senders: attention("Check that it equals the behavior so far when it was left out."),
    readers: documentation(),
  },
  "default-changed": {
    what: "{anchor} defaults to {after}, was {before}",
    senders: breaking("The same request means something else: keep the default."),
    readers: documentation(),
  },
  "default-removed": {
    what: "{anchor} no longer has a default, was {before}",
    senders: breaking("The same request means something else: keep the default."),
    readers: documentation(),
  },
  closed: {
    what: "{anchor} has no other fields than those described now",
    senders: breaking("Keep accepting other fields."),
  },
  "map-closed": {
    what: "{anchor} is empty now, was a map to {before}",
    senders: breaking("Keep accepting its entries."),
    readers: breaking("Keep its entries until they are no longer read."),
  },
  opened: {
    what: "{anchor} may have other fields than those described now",
    readers: additive("Clients ignore fields that they do not know."),
  },
  "map-freed": {
    what: "{anchor} has entries that may be anything, was a map to {before}",
    readers: breaking("Readers expect each entry to fit its description: keep its schema."),
  },
  "discriminator-added": {
    what: "the forms of {anchor} are told apart by {value} now",
    senders: documentation(),
    readers: documentation(),
  },
  "discriminator-removed": {
    what: "the forms of {anchor} are no longer told apart by {value}",
    senders: attention("Generated types name the forms by it: announce it."),
    readers: breaking("Generated readers choose the form by it: keep it."),
  },
  "discriminator-changed": {
    what: "the forms of {anchor} are told apart by {after}, were by {before}",
    senders: breaking("Keep the field that names the form."),
    readers: breaking("Keep the field that names the form."),
  },
  "mapping-added": {
    what: "{anchor} names the form {after} by {value} too",
    readers: breaking("Readers know the old names only: answer the new one where it is asked for."),
  },
  "mapping-removed": {
    what: "{anchor} no longer names the form {before} by {value}",
    senders: breaking("Keep accepting it."),
    readers: attention("Tell those that wait for it: it never comes."),
  },
  "mapping-changed": {
    what: "in {anchor} {value} names the form {after}, was {before}",
    senders: breaking("Keep what each name stands for."),
    readers: breaking("Keep what each name stands for."),
  },
  "forms-joined": {
    what: "{anchor} may fit several of its forms at once, was exactly one",
    readers: attention("Readers take the first form that fits: announce it."),
  },
  "forms-parted": {
    what: "{anchor} fits exactly one of its forms, was one or several",
    senders: breaking("Keep accepting values that fit several."),
  },
  "alternative-added": {
    what: "{anchor} may meet {value} instead of its other conditions",
    readers: attention("Readers may rely on the others: announce it."),
  },
  "alternative-removed": {
    what: "{anchor} may no longer meet {value} alone",
    senders: breaking("Keep accepting it."),
  },
  "form-added": {
    what: "{anchor} has the new form {value}",
    readers: breaking("Readers know the old forms only: answer the new one where it is asked for."),
  },
  "form-removed": {
    what: "{anchor} no longer has the form {value}",
    senders: breaking("Keep accepting it."),
    readers: attention("Tell those that wait for it: it never comes."),
  },
  "condition-added": { what: "{anchor} must meet {value} too", senders: breaking("Keep accepting the rest.") },
  "condition-removed": {
    what: "{anchor} need not meet {value} any more",
    readers: attention("Readers may rely on it: announce it."),
  },
  deprecated: {
    what: "{anchor} is deprecated",
    senders: attention("Say until when it works, and what to use instead."),
    readers: attention("Say until when it exists, and what to use instead."),
  },
  undeprecated: { what: "{anchor} is no longer deprecated" },
  "keyword-changed": {
    what: "{anchor}: {value} is {after}, was {before}",
    senders: attention("No rule judges this keyword: read it."),
    readers: attention("No rule judges this keyword: read it."),
  },
  "text-changed": { what: "{anchor}: {after}, was {before}", senders: documentation(), readers: documentation() },
} as const satisfies Record<string, SchemaRuleText>;

export type SchemaRule = keyof typeof schemaRules;
