import type { EventType } from "./event.ts";

/**
 * A transition of the document's x-state-machine. One of `by`, `on` and `after` causes it.
 */
export type Transition = {
  /** Null when the transition creates the resource. */
  readonly from: readonly string[] | null;
  readonly to: string;
  /** The operations that cause it. */
  readonly by?: readonly string[];
  /** The external facts that cause it: `chain.confirmed`. */
  readonly on?: readonly string[];
  /** The time after which it happens by itself, in ISO 8601: `PT24H`. */
  readonly after?: string;
  /** The condition of a transition by time, in words. */
  readonly when?: string;
  /** The types of events that it records each time. */
  readonly emits: readonly EventType[];
  /** The types of events that it records only sometimes. */
  readonly mayEmit: readonly EventType[];
};

/** The states of a kind of resource, and the transitions between them. */
export type StateMachine = {
  /** The property that holds the state. */
  readonly property: string;
  readonly states: readonly string[];
  /** The states that no transition leaves. */
  readonly final: readonly string[];
  readonly transitions: Readonly<Record<string, Transition>>;
};
