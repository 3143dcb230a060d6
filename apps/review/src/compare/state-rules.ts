import { attention, breaking, type RuleText } from "./rule-text.ts";

/** Judgements of changes to state machines. */
export const stateRules = {
  "state-machine-added": {
    what: "the states of {anchor} are promised: {after}",
    ...attention("Be sure that the server keeps to it: what is taken back later breaks."),
  },
  "state-machine-removed": {
    what: "the states of {anchor} are no longer described, was {before}",
    ...breaking("Keep it: callers rely on the possible next states."),
  },
  "state-property-changed": {
    what: "the state of {anchor} is its {after}, was its {before}",
    ...breaking("Keep the state where callers look for it."),
  },
  "transition-added": {
    what: "{anchor} leads {value}, and did not",
    ...attention("Callers may take a state for the last word: tell them when it comes."),
  },
  "transition-removed": {
    what: "{anchor} no longer leads {value}",
    ...breaking("Keep taking it: callers that send it are refused."),
  },
  "transition-cause-changed": {
    what: "{anchor} is caused by {after}, was {before}",
    ...attention("Tell those that cause it, and those that wait for it."),
  },
  "transition-event-added": {
    what: "{anchor} records {value} {after}, was {before}",
    ...attention("Receivers must tolerate it."),
  },
  "transition-event-removed": {
    what: "{anchor} records {value} {after}, was {before}",
    ...breaking("Receivers wait for it: keep sending it."),
  },
  "final-added": {
    what: "the state {value} of {anchor} is now final",
    ...attention("Tell those that wait for more."),
  },
  "final-removed": {
    what: "the state {value} of {anchor} is final no more",
    ...breaking("Callers stop at a final state: add another state that is not final."),
  },
} as const satisfies Record<string, RuleText>;
