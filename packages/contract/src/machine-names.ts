import type { stateMachines } from "./generated/state-machines.ts";

type Machines = typeof stateMachines;

/** A schema of the document with a state machine: `Wallet`. */
export type MachineName = keyof Machines;

export type TransitionsOf<Machine extends MachineName> = Machines[Machine]["transitions"];

/** Every transition of every machine: `Wallet.freeze`. */
export type TransitionName = {
  [Machine in MachineName]: `${Machine}.${keyof TransitionsOf<Machine> & string}`;
}[MachineName];
