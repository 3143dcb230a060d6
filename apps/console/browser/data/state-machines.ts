import { stateMachines as machines } from "virtual:state-machines";

/** Every state machine of the document. What the build writes has this shape (src/build/contract-modules.ts). */
export const stateMachines = machines as Readonly<Record<MachineName, DrawnMachine>>;

/** The states of a noun as the choices of a filter, in the order of the document. */
export function stateChoices(machine: MachineName): { value: string; label: string }[] {
  return stateMachines[machine].states.map((state) => ({ value: state, label: state.replaceAll("_", " ") }));
}

/** Null: the transition leads on from this state. Throws when the document has no such transition. */
export function whyNotIn(machine: MachineName, state: string, transition: string): string | null {
  const found = stateMachines[machine].transitions.filter(({ name }) => name === transition);
  if (found.length === 0) {
    throw new Error(`The document has no transition ${machine}.${transition}.`);
  }
  return found.some(({ from }) => from?.includes(state)) ? null : `It is ${state.replaceAll("_", " ")}.`;
}

export type MachineName =
  | "Wallet"
  | "KycVerification"
  | "Payment"
  | "CustodyDeposit"
  | "CustodyTransfer"
  | "CustodyApproval"
  | "Order";

export type DrawnMachine = {
  readonly states: readonly string[];
  readonly final: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    /** Null for a transition that creates the object. */
    readonly from: readonly string[] | null;
    readonly to: string;
    /** The causes of the transition, in words: `with “Cancel a payment”`, `after 24 hours`. */
    readonly cause: string;
  }[];
};
