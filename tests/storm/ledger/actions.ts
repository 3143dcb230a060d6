import type { Random } from "../random.ts";
import type { Action } from "./action.ts";
import type { Answered } from "./call.ts";
import { custodyActions } from "./custody-actions.ts";
import { identityActions } from "./identity-actions.ts";
import { ledgerActions } from "./ledger-actions.ts";
import { orchestraActions } from "./orchestra-actions.ts";

/** The actions of all four services that move money or decide on it. */
export const actions: readonly Action[] = [
  ...ledgerActions,
  ...orchestraActions,
  ...identityActions,
  ...custodyActions,
];

/** Picks the next action at random, by weight. */
export function pickAction(random: Random): Action {
  let turn = random.between(1, totalWeight);
  const found = actions.find(({ weight }) => (turn -= weight) <= 0);
  if (!found) {
    throw new Error("The weights of the actions do not add up.");
  }
  return found;
}

const totalWeight = actions.reduce((sum, { weight }) => sum + weight, 0);

/** Null when the action expects the response. */
export function findFaultOf({ name, refusals = [] }: Action, { status, code, text }: Answered): string | null {
  const isExpected = (status >= 200 && status < 300) || (code !== null && refusals.includes(code));
  return isExpected ? null : `${name}: ${status} ${text.slice(0, 300)}`;
}
