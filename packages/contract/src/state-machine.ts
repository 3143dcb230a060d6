import type { EventType } from "./event.ts";

/**
 * One way from state to state, as the document's x-state-machine has it. It is caused by one of `by`, `on` and `after`.
 */
export type Transition = {
  /** Null: it makes the thing. */
  readonly from: readonly string[] | null;
  readonly to: string;
  /** The operations that cause it. */
  readonly by?: readonly string[];
  /** The facts from outside that cause it: `chain.confirmed`. */
  readonly on?: readonly string[];
  /** The time after which it happens by itself, as ISO 8601 has it: `PT24H`. */
  readonly after?: string;
  /** Under which condition it does, in words. */
  readonly when?: string;
  /** The types of events that it records each time. */
  readonly emits: readonly EventType[];
  /** Those that it records only sometimes. */
  readonly mayEmit: readonly EventType[];
};

/** The states that a kind of thing can be in, and what leads from one to the other. */
export type StateMachine = {
  /** The property that holds the state. */
  readonly property: string;
  readonly states: readonly string[];
  /** The states that nothing leads out of. */
  readonly final: readonly string[];
  readonly transitions: Readonly<Record<string, Transition>>;
};
