import type { Random } from "./random.ts";

export type Answer = { kind: "status"; status: number; afterMs: number } | { kind: "hang" } | { kind: "reset" };

/**
 * How an endpoint answers. `count`: how often this event came, this time included; `luck`: the event's own number from
 * 0 to 1.
 */
export type Behaviour = {
  name: string;
  answer(arrival: { count: number; luck: number }, random: Random): Answer;
  /** It never answers anything, so its queue never ends: its owner gives it up in the end, and what is left is held. */
  isHopeless?: boolean;
};

const fine = { kind: "status", status: 200, afterMs: 0 } as const satisfies Answer;
const broken: Answer = { kind: "status", status: 500, afterMs: 0 };
const hang: Answer = { kind: "hang" };
const reset: Answer = { kind: "reset" };

/** A hanging attempt takes 5 s of one of an endpoint's five slots, so few events meet one. */
export const behaviours: readonly Behaviour[] = [
  { name: "500 three times, then 200", answer: ({ count }) => (count <= 3 ? broken : fine) },
  { name: "always 500", answer: () => broken },
  {
    name: "reset once for every second event",
    answer: ({ count, luck }) => (count === 1 && luck < 0.5 ? reset : fine),
  },
  { name: "always 200", answer: () => fine },
  { name: "500 five times, then 200", answer: ({ count }) => (count <= 5 ? broken : fine) },
  { name: "slow, up to 60 ms", answer: (_arrival, random) => ({ ...fine, afterMs: random.between(0, 60) }) },
  { name: "hangs once for 0.5 % of events", answer: ({ count, luck }) => (count === 1 && luck < 0.005 ? hang : fine) },
  { name: "always resets for 2 % of events", answer: ({ luck }) => (luck < 0.02 ? reset : fine) },
  { name: "4 s late for 0.5 % of events", answer: ({ luck }) => ({ ...fine, afterMs: luck < 0.005 ? 4_000 : 0 }) },
  { name: "any of it at any time", answer: (_arrival, random) => anything(random) },
  { name: "always hangs", answer: () => hang, isHopeless: true },
];

function anything(random: Random): Answer {
  const dice = random.fraction();
  if (dice < 0.001) {
    return hang;
  }
  if (dice < 0.1) {
    return reset;
  }
  return dice < 0.3 ? broken : { ...fine, afterMs: random.between(0, 30) };
}
