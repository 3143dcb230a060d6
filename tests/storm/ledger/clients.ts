import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "../random.ts";
import { keep, type StormAccount } from "./account.ts";
import { actions, findFaultOf, pickAction } from "./actions.ts";
import type { Caller } from "./call.ts";
import { secrets } from "./secrets.ts";

export type Clients = {
  /** Whether each action has succeeded once. Only then has the storm tried all. */
  haveTriedAll(): boolean;
  /** Begins nothing more. Resolves when all requests have their responses. */
  stop(): Promise<Heard>;
};

/** The responses that clients received. */
export type Heard = {
  /** For each action, the number of responses, of successes, and of refusals by code. */
  counts: { name: string; answered: number; succeeded: number; refused: Map<string, number> }[];
  /** References of ledger transactions that were acknowledged, and of those that were refused. */
  booked: ReadonlySet<string>;
  refused: ReadonlySet<string>;
  /** Unexpected responses. */
  faults: string[];
  /** The number of responses that contain a secret. */
  indiscretions: number;
};

export type ClientsOptions = { count: number; accounts: readonly StormAccount[]; caller: Caller; seed: number };

/**
 * Starts clients. Each runs one random action after another, for random accounts, and waits for its response whatever
 * happens meanwhile.
 */
export function startClients({ count, accounts, caller, seed }: ClientsOptions): Clients {
  const counts = new Map(
    actions.map(({ name }) => [name, { name, answered: 0, succeeded: 0, refused: new Map<string, number>() }]),
  );
  const booked = new Set<string>();
  const refused = new Set<string>();
  const heard: Heard = { counts: [...counts.values()], booked, refused, faults: [], indiscretions: 0 };
  let isStopping = false;
  const run = async (number: number): Promise<void> => {
    const random = createRandom(seed + number);
    for (let turn = 1; !isStopping; turn += 1) {
      const account = random.pick(accounts);
      const action = pickAction(random);
      const reference = `storm-${number}.${turn}`;
      const request = account && action.request(account, random, reference);
      if (!request) {
        await delay(1);
        continue;
      }
      const answer = await caller.call(request, { key: account.key, idempotencyKey: reference });
      const fault = findFaultOf(action, answer);
      const hasSucceeded = fault === null && answer.code === null;
      const counted = counts.get(action.name);
      if (counted) {
        counted.answered += 1;
        counted.succeeded += hasSucceeded ? 1 : 0;
        if (!hasSucceeded) {
          const code = answer.code ?? `status ${answer.status}`;
          counted.refused.set(code, (counted.refused.get(code) ?? 0) + 1);
        }
      }
      if (fault !== null) {
        heard.faults.push(fault);
      }
      heard.indiscretions += secrets.some((secret) => answer.text.includes(secret)) ? 1 : 0;
      // An unexpected response proves neither.
      if (action.isBooked && fault === null) {
        (hasSucceeded ? booked : refused).add(reference);
      }
      if (hasSucceeded && action.learns) {
        keep(account, action.learns, answer.data);
      }
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, number) => run(number)));
  // A failure is reported by `stop`.
  done.catch(() => {});
  return {
    haveTriedAll: () => heard.counts.every(({ succeeded }) => succeeded > 0),
    stop: async () => {
      isStopping = true;
      await done;
      return heard;
    },
  };
}
