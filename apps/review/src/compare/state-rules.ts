import { attention, breaking, type RuleText } from "./rule-text.ts";

/** What a change of the states of a thing means. */
export const stateRules = {
  "state-machine-added": {
    what: "the states of {anchor} are promised: {after}",
    ...attention("Be sure that the server keeps to it: what is taken back later breaks."),
  },
  "state-machine-removed": {
    what: "nothing says any more what can become of {anchor}, was {before}",
    ...breaking("Keep it: callers build on what may follow."),
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
    ...breaking("Go on taking it: who asks for it is refused."),
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
    ...breaking("Receivers wait for it: go on sending it."),
  },
  "final-added": {
    what: "nothing leads out of the state {value} of {anchor} any more",
    ...attention("Tell those that wait for more."),
  },
  "final-removed": {
    what: "the state {value} of {anchor} is final no more",
    ...breaking("Callers have done with what is final: make another state that is not."),
  },
} as const satisfies Record<string, RuleText>;
