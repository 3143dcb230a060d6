import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "../random.ts";
import { keep, type StormAccount } from "./account.ts";
import { actions, findFaultOf, pickAction } from "./actions.ts";
import type { Caller } from "./call.ts";
import { secrets } from "./secrets.ts";

export type Clients = {
  /** Each action has succeeded once: only then has the storm tried all. */
  haveTriedAll(): boolean;
  /** Nothing more is begun; resolves when all that was begun is answered. */
  stop(): Promise<Heard>;
};

/** What clients were told. */
export type Heard = {
  /** How often each action was answered, how often with success, and else with what. */
  counts: { name: string; answered: number; succeeded: number; refused: Map<string, number> }[];
  /** References of ledger transactions that were acknowledged, and of those that were refused. */
  booked: ReadonlySet<string>;
  refused: ReadonlySet<string>;
  /** Answers that the operation is not for. */
  faults: string[];
  /** Answers that say what must not be said. */
  indiscretions: number;
};

export type ClientsOptions = { count: number; accounts: readonly StormAccount[]; caller: Caller; seed: number };

/**
 * Each does one random thing after another, for random accounts, and waits for its answer whatever happens meanwhile.
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
      // What was answered otherwise says neither.
      if (action.isBooked && fault === null) {
        (hasSucceeded ? booked : refused).add(reference);
      }
      if (hasSucceeded && action.learns) {
        keep(account, action.learns, answer.data);
      }
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, number) => run(number)));
  // Its failure is seen where it is stopped.
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
