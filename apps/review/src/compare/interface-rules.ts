import type { RuleText } from "./rule-text.ts";
import { stateRules } from "./state-rules.ts";

/** What a change of anything but a schema means. */
export const interfaceRules = {
  "document-added": { severity: "additive", what: "the document {anchor} is new, with {after}" },
  "document-removed": { severity: "breaking", what: "the document {anchor} is gone, with {before}", todo: "Keep it." },
  "document-text-changed": {
    severity: "documentation",
    what: "{anchor}: {after}, was {before}",
    todo: "Read them: rate limits, the schedule of retries and other promises are words.",
  },
  "document-policy-changed": {
    severity: "attention",
    what: "{anchor} is {after}, was {before}",
    todo: "No rule judges this field: read it.",
  },

  "server-added": { severity: "additive", what: "the server {anchor} is new" },
  "server-moved": {
    severity: "breaking",
    what: "the server {anchor} is at {after}, was {before}",
    todo: "Keep the old address answering: callers keep sending their credentials there.",
  },
  "operation-moved": {
    severity: "breaking",
    what: "the operation {anchor} is served at {after}, was {before}",
    todo: "Keep the old address answering: callers keep sending their credentials there.",
  },
  "operation-server-added": { severity: "additive", what: "the operation {anchor} is served at {after} too" },
  "server-removed": { severity: "breaking", what: "the server {anchor} is gone", todo: "Keep the address answering." },

  "operation-added": { severity: "additive", what: "the operation {anchor} is new: {after}" },
  "operation-removed": {
    severity: "breaking",
    what: "the operation {anchor} is gone: {before}{after}",
    todo: "Keep it, deprecated, until it is no longer called.",
  },
  "operation-renamed": {
    severity: "attention",
    what: "the operation {anchor} is called {after} now",
    todo: "Nothing changes on the wire; generated clients get another name.",
  },
  "client-method-added": { severity: "additive", what: "the client has {anchor} as {after}" },
  "client-method-renamed": {
    severity: "breaking",
    what: "the client has {anchor} as {after}, was {before}",
    todo: "Nothing changes on the wire; programs that use the client no longer compile: keep the name.",
  },
  "schema-renamed": {
    severity: "breaking",
    what: "the schema {anchor} is called {after} now",
    todo: "Nothing changes on the wire; programs that name the type no longer compile: keep the name.",
  },
  "schema-inlined": {
    severity: "attention",
    what: "the schema {anchor} no longer has a name, and is written where it is used",
    todo: "Nothing changes on the wire; programs that name the type no longer compile.",
  },
  "operation-deprecated": {
    severity: "attention",
    what: "the operation {anchor} is deprecated",
    todo: "Say until when it works, and what to use instead.",
  },
  "operation-undeprecated": { severity: "additive", what: "the operation {anchor} is no longer deprecated" },
  "operation-text-changed": { severity: "documentation", what: "{anchor}: {after}, was {before}" },
  "operation-policy-changed": {
    severity: "attention",
    what: "{anchor}: {value} is {after}, was {before}",
    todo: "No rule judges this field: read it.",
  },

  "parameter-added": { severity: "additive", what: "the parameter {anchor} is new: {after}" },
  "required-parameter-added": {
    severity: "breaking",
    what: "the parameter {anchor} is new and required: {after}",
    todo: "Make it optional, with a default.",
  },
  "parameter-removed": {
    severity: "breaking",
    what: "the parameter {anchor} is gone, was {before}",
    todo: "Keep accepting it: unknown parameters are refused.",
  },
  "parameter-required": {
    severity: "breaking",
    what: "the parameter {anchor} is required now, was optional",
    todo: "Keep it optional, with a default.",
  },
  "parameter-optional": { severity: "additive", what: "the parameter {anchor} is optional now, was required" },
  "parameter-renamed": {
    severity: "attention",
    what: "the path parameter {anchor} is called {after} now",
    todo: "Nothing changes on the wire; generated clients get another name.",
  },
  "parameter-encoding-changed": {
    severity: "breaking",
    what: "the parameter {anchor} is written {after}, was {before}",
    todo: "Keep the encoding.",
  },
  "parameter-encoding-relaxed": {
    severity: "additive",
    what: "the parameter {anchor} may be written {after}, was {before}",
  },
  "parameter-deprecated": {
    severity: "attention",
    what: "the parameter {anchor} is deprecated",
    todo: "Say until when it works, and what to use instead.",
  },
  "parameter-undeprecated": { severity: "additive", what: "the parameter {anchor} is no longer deprecated" },
  "idempotency-key-added": { severity: "additive", what: "{anchor} takes an Idempotency-Key" },
  "idempotency-key-removed": {
    severity: "breaking",
    what: "{anchor} no longer takes an Idempotency-Key",
    todo: "Keep it: a request that is repeated after a lost answer would do the work twice.",
  },

  "body-added": { severity: "additive", what: "{anchor} takes a body, which may be left out" },
  "required-body-added": {
    severity: "breaking",
    what: "{anchor} needs a body, and took none",
    todo: "Make the body optional.",
  },
  "body-removed": {
    severity: "breaking",
    what: "{anchor} no longer takes a body",
    todo: "Keep accepting it: a body that is not expected is refused.",
  },
  "body-required": { severity: "breaking", what: "{anchor} needs its body now", todo: "Keep the body optional." },
  "body-optional": { severity: "additive", what: "{anchor} can do without its body now" },
  "media-type-added": { severity: "additive", what: "{anchor} takes {value} too" },
  "media-type-removed": { severity: "breaking", what: "{anchor} no longer takes {value}", todo: "Keep accepting it." },
  "response-media-type-added": { severity: "additive", what: "{anchor} may be {value} too" },
  "response-media-type-removed": {
    severity: "breaking",
    what: "{anchor} is no longer {value}",
    todo: "Keep answering it.",
  },

  "status-added": {
    severity: "attention",
    what: "{anchor} may answer {value} now",
    todo: "Clients decide by the statuses that they know: announce it.",
  },
  "success-status-removed": {
    severity: "breaking",
    what: "{anchor} never answers {value} any more",
    todo: "Keep the status of the success.",
  },
  "error-status-removed": { severity: "additive", what: "{anchor} never answers {value} any more" },
  "header-added": { severity: "additive", what: "the header {anchor} is new in responses: {after}" },
  "header-removed": {
    severity: "breaking",
    what: "the header {anchor} is gone from answers, was {before}",
    todo: "Keep sending it.",
  },
  "header-required": { severity: "additive", what: "the header {anchor} is always there now" },
  "header-optional": {
    severity: "breaking",
    what: "the header {anchor} may be absent now",
    todo: "Keep sending it always.",
  },

  "proof-optional": {
    severity: "attention",
    what: "security: {anchor} may be left out now, was required",
    todo: "Be sure that who stole a code or an address gets no token without it.",
  },
  "proof-value-added": {
    severity: "attention",
    what: "security: {anchor} takes {value} too, was only {before}",
    todo: "Be sure that it proves as much as the others.",
  },
  "permission-raised": {
    severity: "breaking",
    what: "{anchor} needs {after}, was {before}",
    todo: "Callers with {before} get 403: add an operation, or tell them to change their keys first.",
  },
  "permission-lowered": {
    severity: "attention",
    what: "security: {anchor} needs only {after}, was {before}",
    todo: "Be sure that everybody with {after} may do this.",
  },
  "credential-refused": {
    severity: "breaking",
    what: "{anchor} no longer takes {value}",
    todo: "Keep accepting it.",
  },
  "credential-accepted": {
    severity: "attention",
    what: "security: {anchor} takes {value} too",
    todo: "Be sure that its holders may do this.",
  },
  "scheme-added": { severity: "additive", what: "the security scheme {anchor} is new" },
  "scheme-removed": {
    severity: "breaking",
    what: "the security scheme {anchor} is gone",
    todo: "Keep accepting its credentials.",
  },
  "scheme-changed": {
    severity: "breaking",
    what: "the security scheme {anchor}: {value} is {after}, was {before}",
    todo: "Accept the old way in addition.",
  },
  "scope-added": { severity: "additive", what: "the security scheme {anchor} has the new scope {value}" },
  "scope-removed": {
    severity: "breaking",
    what: "the security scheme {anchor} no longer has the scope {value}",
    todo: "Keep accepting it.",
  },

  "event-type-added": { severity: "additive", what: "the event type {anchor} is new" },
  "event-type-removed": {
    severity: "breaking",
    what: "the event type {anchor} is gone",
    todo: "Keep sending it, deprecated, until no webhook asks for it.",
  },
  "event-header-added": { severity: "additive", what: "the header {anchor} is new on deliveries: {after}" },
  "event-header-removed": {
    severity: "breaking",
    what: "the header {anchor} is gone from deliveries, was {before}",
    todo: "Keep sending it.",
  },
  "event-header-required": { severity: "additive", what: "the header {anchor} is on every delivery now" },
  "event-header-optional": {
    severity: "breaking",
    what: "the header {anchor} may be absent from deliveries now",
    todo: "Keep sending it always.",
  },
  "event-header-encoding-changed": {
    severity: "breaking",
    what: "the header {anchor} is written {after}, was {before}",
    todo: "Keep the encoding.",
  },
  "event-body-optional": {
    severity: "breaking",
    what: "deliveries of {anchor} may come without a body now",
    todo: "Keep sending it always.",
  },
  "event-body-required": { severity: "additive", what: "deliveries of {anchor} always have a body now" },
  "event-media-type-added": {
    severity: "attention",
    what: "deliveries of {anchor} may be {value}",
    todo: "Receivers parse what they know: send it to those that ask for it.",
  },
  "event-media-type-removed": {
    severity: "breaking",
    what: "deliveries of {anchor} are no longer {value}",
    todo: "Keep sending it.",
  },
  "answer-status-added": { severity: "additive", what: "receivers of {anchor} may answer {value}" },
  "answer-status-removed": {
    severity: "breaking",
    what: "receivers of {anchor} may no longer answer {value}",
    todo: "Keep accepting it.",
  },

  ...stateRules,

  "emits-added": { severity: "additive", what: "{anchor} causes the event {value}" },
  "emits-removed": {
    severity: "breaking",
    what: "{anchor} no longer causes the event {value}",
    todo: "Receivers wait for it: keep sending it.",
  },
  "problem-added": {
    severity: "additive",
    what: "operations may be refused with the code {anchor}",
    todo: "Clients treat a code that they do not know by its status.",
  },
  "problem-removed": { severity: "additive", what: "operations are no longer refused with the code {anchor}" },
  "limit-store-required": {
    severity: "attention",
    what: "{anchor} is refused with 503 while the shared limit store is away",
    todo: "Tell callers to try again.",
  },
  "limit-store-not-required": {
    severity: "attention",
    what: "security: {anchor} continues with a local count while the shared limit store is away",
    todo: "Be sure that it may be guessed at by each process apart.",
  },
  "sandbox-only": {
    severity: "breaking",
    what: "{anchor} is in the sandbox alone",
    todo: "Production returns 404: keep serving it there.",
  },
  "not-sandbox-only": {
    severity: "attention",
    what: "security: {anchor} is in production too",
    todo: "Be sure that it causes nothing that only time or external systems may cause.",
  },
  "person-required": {
    severity: "breaking",
    what: "{anchor} is for people at the console only",
    todo: "Keys and applications that call it get 403: add an operation, or tell their owners first.",
  },
  "person-not-required": {
    severity: "attention",
    what: "security: {anchor} is open to keys and to every application, was for people at the console only",
    todo: "Be sure that a program may do this, even one with a stolen key.",
  },
  "fresh-sign-in-tightened": {
    severity: "attention",
    what: "{anchor} needs a person who signed in {after}, was {before}",
    todo: "The page that calls it must know how to ask for another sign-in.",
  },
  "fresh-sign-in-loosened": {
    severity: "attention",
    what: "security: {anchor} takes a person who signed in {after}, was {before}",
    todo: "Be sure that any person at an open page may do this.",
  },
  "service-changed": {
    severity: "breaking",
    what: "{anchor} belongs to {after}, was {before}",
    todo: "Keep serving it at the address of the old service.",
  },
} as const satisfies Record<string, RuleText>;
