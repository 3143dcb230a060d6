import type { RuleText } from "./rule-text.ts";

/** What a change of the states of a thing means. */
export const stateRules = {
  "state-machine-added": {
    severity: "attention",
    what: "the states of {anchor} are promised: {after}",
    todo: "Be sure that the server keeps to it: what is taken back later breaks.",
  },
  "state-machine-removed": {
    severity: "breaking",
    what: "the states of {anchor} are no longer described, was {before}",
    todo: "Keep it: callers rely on the possible next states.",
  },
  "state-property-changed": {
    severity: "breaking",
    what: "the state of {anchor} is its {after}, was its {before}",
    todo: "Keep the state where callers look for it.",
  },
  "transition-added": {
    severity: "attention",
    what: "{anchor} leads {value}, and did not",
    todo: "Callers may take a state for the last word: tell them when it comes.",
  },
  "transition-removed": {
    severity: "breaking",
    what: "{anchor} no longer leads {value}",
    todo: "Keep taking it: callers that send it are refused.",
  },
  "transition-cause-changed": {
    severity: "attention",
    what: "{anchor} is caused by {after}, was {before}",
    todo: "Tell those that cause it, and those that wait for it.",
  },
  "transition-event-added": {
    severity: "attention",
    what: "{anchor} records {value} {after}, was {before}",
    todo: "Receivers must tolerate it.",
  },
  "transition-event-removed": {
    severity: "breaking",
    what: "{anchor} records {value} {after}, was {before}",
    todo: "Receivers wait for it: keep sending it.",
  },
  "final-added": {
    severity: "attention",
    what: "the state {value} of {anchor} is now final",
    todo: "Tell those that wait for more.",
  },
  "final-removed": {
    severity: "breaking",
    what: "the state {value} of {anchor} is final no more",
    todo: "Callers stop at a final state: add another state that is not final.",
  },
} as const satisfies Record<string, RuleText>;
