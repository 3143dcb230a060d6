import { additive, attention, breaking, documentation, type RuleText } from "./rule-text.ts";
import { stateRules } from "./state-rules.ts";

export const interfaceRules = {
  "document-added": { what: "the document {anchor} is new, with {after}", ...additive() },
  "document-removed": { what: "the document {anchor} is gone, with {before}", ...breaking("Keep it.") },
  "document-text-changed": {
    what: "{anchor}: {after}, was {before}",
    ...documentation("Read them: rate limits, the schedule of retries and other promises are words."),
  },
  "document-policy-changed": {
    what: "{anchor} is {after}, was {before}",
    ...attention("No rule judges this field: read it."),
  },

  "server-added": { what: "the server {anchor} is new", ...additive() },
  "server-moved": {
    what: "the server {anchor} is at {after}, was {before}",
    ...breaking("Keep the old address answering: callers keep sending their credentials there."),
  },
  "operation-moved": {
    what: "the operation {anchor} is served at {after}, was {before}",
    ...breaking("Keep the old address answering: callers keep sending their credentials there."),
  },
  "operation-server-added": { what: "the operation {anchor} is served at {after} too", ...additive() },
  "server-removed": { what: "the server {anchor} is gone", ...breaking("Keep the address answering.") },

  "operation-added": { what: "the operation {anchor} is new: {after}", ...additive() },
  "operation-removed": {
    what: "the operation {anchor} is gone: {before}{after}",
    ...breaking("Keep it, deprecated, until it is no longer called."),
  },
  "operation-renamed": {
    what: "the operation {anchor} is called {after} now",
    ...attention("Nothing changes on the wire; generated clients get another name."),
  },
  "client-method-added": { what: "the client has {anchor} as {after}", ...additive() },
  "client-method-renamed": {
    what: "the client has {anchor} as {after}, was {before}",
    ...breaking("Nothing changes on the wire; programs that use the client no longer compile: keep the name."),
  },
  "schema-renamed": {
    what: "the schema {anchor} is called {after} now",
    ...breaking("Nothing changes on the wire; programs that name the type no longer compile: keep the name."),
  },
  "schema-inlined": {
    what: "the schema {anchor} no longer has a name, and is written where it is used",
    ...attention("Nothing changes on the wire; programs that name the type no longer compile."),
  },
  "operation-deprecated": {
    what: "the operation {anchor} is deprecated",
    ...attention("Say until when it works, and what to use instead."),
  },
  "operation-undeprecated": { what: "the operation {anchor} is no longer deprecated", ...additive() },
  "operation-text-changed": { what: "{anchor}: {after}, was {before}", ...documentation() },
  "operation-policy-changed": {
    what: "{anchor}: {value} is {after}, was {before}",
    ...attention("No rule judges this field: read it."),
  },

  "parameter-added": { what: "the parameter {anchor} is new: {after}", ...additive() },
  "required-parameter-added": {
    what: "the parameter {anchor} is new and required: {after}",
    ...breaking("Make it optional, with a default."),
  },
  "parameter-removed": {
    what: "the parameter {anchor} is gone, was {before}",
    ...breaking("Keep accepting it: unknown parameters are refused."),
  },
  "parameter-required": {
    what: "the parameter {anchor} is required now, was optional",
    ...breaking("Keep it optional, with a default."),
  },
  "parameter-optional": { what: "the parameter {anchor} is optional now, was required", ...additive() },
  "parameter-renamed": {
    what: "the path parameter {anchor} is called {after} now",
    ...attention("Nothing changes on the wire; generated clients get another name."),
  },
  "parameter-encoding-changed": {
    what: "the parameter {anchor} is written {after}, was {before}",
    ...breaking("Keep the encoding."),
  },
  "parameter-encoding-relaxed": { what: "the parameter {anchor} may be written {after}, was {before}", ...additive() },
  "parameter-deprecated": {
    what: "the parameter {anchor} is deprecated",
    ...attention("Say until when it works, and what to use instead."),
  },
  "parameter-undeprecated": { what: "the parameter {anchor} is no longer deprecated", ...additive() },
  "idempotency-key-added": { what: "{anchor} takes an Idempotency-Key", ...additive() },
  "idempotency-key-removed": {
    what: "{anchor} no longer takes an Idempotency-Key",
    ...breaking("Keep it: a request that is repeated after a lost answer would do the work twice."),
  },

  "body-added": { what: "{anchor} takes a body, which may be left out", ...additive() },
  "required-body-added": { what: "{anchor} needs a body, and took none", ...breaking("Make the body optional.") },
  "body-removed": {
    what: "{anchor} no longer takes a body",
    ...breaking("Keep accepting it: a body that is not expected is refused."),
  },
  "body-required": { what: "{anchor} needs its body now", ...breaking("Keep the body optional.") },
  "body-optional": { what: "{anchor} can do without its body now", ...additive() },
  "media-type-added": { what: "{anchor} takes {value} too", ...additive() },
  "media-type-removed": { what: "{anchor} no longer takes {value}", ...breaking("Keep accepting it.") },
  "response-media-type-added": { what: "{anchor} may be {value} too", ...additive() },
  "response-media-type-removed": { what: "{anchor} is no longer {value}", ...breaking("Keep answering it.") },

  "status-added": {
    what: "{anchor} may answer {value} now",
    ...attention("Clients decide by the statuses that they know: announce it."),
  },
  "success-status-removed": {
    what: "{anchor} never answers {value} any more",
    ...breaking("Keep the status of the success."),
  },
  "error-status-removed": { what: "{anchor} never answers {value} any more", ...additive() },
  "header-added": { what: "the header {anchor} is new in responses: {after}", ...additive() },
  "header-removed": {
    what: "the header {anchor} is gone from answers, was {before}",
    ...breaking("Keep sending it."),
  },
  "header-required": { what: "the header {anchor} is always there now", ...additive() },
  "header-optional": { what: "the header {anchor} may be absent now", ...breaking("Keep sending it always.") },

  "proof-optional": {
    what: "security: {anchor} may be left out now, was required",
    ...attention("Be sure that a person who stole a code or an address gets no token without it."),
  },
  "proof-value-added": {
    what: "security: {anchor} takes {value} too, was only {before}",
    ...attention("Be sure that it proves as much as the others."),
  },
  "permission-raised": {
    what: "{anchor} needs {after}, was {before}",
    ...breaking("Callers with {before} get 403: add an operation, or tell them to change their keys first."),
  },
  "permission-lowered": {
    what: "security: {anchor} needs only {after}, was {before}",
    ...attention("Be sure that everybody with {after} may do this."),
  },
  "credential-refused": { what: "{anchor} no longer takes {value}", ...breaking("Keep accepting it.") },
  "credential-accepted": {
    what: "security: {anchor} takes {value} too",
    ...attention("Be sure that its holders may do this."),
  },
  "scheme-added": { what: "the security scheme {anchor} is new", ...additive() },
  "scheme-removed": { what: "the security scheme {anchor} is gone", ...breaking("Keep accepting its credentials.") },
  "scheme-changed": {
    what: "the security scheme {anchor}: {value} is {after}, was {before}",
    ...breaking("Accept the old way in addition."),
  },
  "scope-added": { what: "the security scheme {anchor} has the new scope {value}", ...additive() },
  "scope-removed": {
    what: "the security scheme {anchor} no longer has the scope {value}",
    ...breaking("Keep accepting it."),
  },

  "event-type-added": { what: "the event type {anchor} is new", ...additive() },
  "event-type-removed": {
    what: "the event type {anchor} is gone",
    ...breaking("Keep sending it, deprecated, until no webhook asks for it."),
  },
  "event-header-added": { what: "the header {anchor} is new on deliveries: {after}", ...additive() },
  "event-header-removed": {
    what: "the header {anchor} is gone from deliveries, was {before}",
    ...breaking("Keep sending it."),
  },
  "event-header-required": { what: "the header {anchor} is on every delivery now", ...additive() },
  "event-header-optional": {
    what: "the header {anchor} may be absent from deliveries now",
    ...breaking("Keep sending it always."),
  },
  "event-header-encoding-changed": {
    what: "the header {anchor} is written {after}, was {before}",
    ...breaking("Keep the encoding."),
  },
  "event-body-optional": {
    what: "deliveries of {anchor} may come without a body now",
    ...breaking("Keep sending it always."),
  },
  "event-body-required": { what: "deliveries of {anchor} always have a body now", ...additive() },
  "event-media-type-added": {
    what: "deliveries of {anchor} may be {value}",
    ...attention("Receivers parse what they know: send it to those that ask for it."),
  },
  "event-media-type-removed": {
    what: "deliveries of {anchor} are no longer {value}",
    ...breaking("Keep sending it."),
  },
  "answer-status-added": { what: "receivers of {anchor} may answer {value}", ...additive() },
  "answer-status-removed": {
    what: "receivers of {anchor} may no longer answer {value}",
    ...breaking("Keep accepting it."),
  },

  ...stateRules,

  "emits-added": { what: "{anchor} causes the event {value}", ...additive() },
  "emits-removed": {
    what: "{anchor} no longer causes the event {value}",
    ...breaking("Receivers wait for it: keep sending it."),
  },
  "problem-added": {
    what: "operations may be refused with the code {anchor}",
    ...additive("Clients treat a code that they do not know by its status."),
  },
  "problem-removed": { what: "operations are no longer refused with the code {anchor}", ...additive() },
  "limit-store-required": {
    what: "{anchor} is refused with 503 while the shared limit store is away",
    ...attention("Tell callers to try again."),
  },
  "limit-store-not-required": {
    what: "security: {anchor} continues with a local count while the shared limit store is away",
    ...attention("Be sure that it may be guessed at by each process apart."),
  },
  "sandbox-only": {
    what: "{anchor} is in the sandbox alone",
    ...breaking("Production returns 404: keep serving it there."),
  },
  "not-sandbox-only": {
    what: "security: {anchor} is in production too",
    ...attention("Be sure that it causes nothing that only time or external systems may cause."),
  },
  "person-required": {
    what: "{anchor} is for people at the console only",
    ...breaking("Keys and applications that call it get 403: add an operation, or tell their owners first."),
  },
  "person-not-required": {
    what: "security: {anchor} is open to keys and to every application, was for people at the console only",
    ...attention("Be sure that a program may do this, even one with a stolen key."),
  },
  "fresh-sign-in-tightened": {
    what: "{anchor} needs a person who signed in {after}, was {before}",
    ...attention("The page that calls it must know how to ask for another sign-in."),
  },
  "fresh-sign-in-loosened": {
    what: "security: {anchor} takes a person who signed in {after}, was {before}",
    ...attention("Be sure that any person at an open page may do this."),
  },
  "service-changed": {
    what: "{anchor} belongs to {after}, was {before}",
    ...breaking("Keep serving it at the address of the old service."),
  },
} as const satisfies Record<string, RuleText>;
