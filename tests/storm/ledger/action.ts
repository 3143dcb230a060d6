import type { Random } from "../random.ts";
import type { Known, StormAccount, StormWallet } from "./account.ts";
import type { Call } from "./call.ts";

/** One action of a client. A new service adds its operations here. */
export type Action = {
  name: string;
  /** The share of this action among all actions. */
  weight: number;
  /** Null when there is no resource to act on. `reference` is unique to this request. */
  request(account: StormAccount, random: Random, reference: string): Call | null;
  /** The codes of expected refusals. */
  refusals?: readonly string[];
  /** The kind under which the created resource is kept. */
  learns?: keyof Known;
  /** Whether a ledger transaction has the reference as its externalId after a success. */
  isBooked?: boolean;
};

export const shortage = ["INSUFFICIENT_FUNDS", "WALLET_NOT_ACTIVE"];

export function post(path: string, body: object): Call {
  return { method: "POST", path, body };
}

export function get(path: string): Call {
  return { method: "GET", path };
}

export function postTo(
  noun: string,
  things: readonly { id: string }[],
  operation: string,
  random: Random,
): Call | null {
  const thing = random.pick(things);
  return thing ? { method: "POST", path: `${noun}/${thing.id}${operation}` } : null;
}

/** Creates an action for each outcome that the sandbox can simulate, so that each is known to have happened. */
export function simulations<Outcome extends string>(
  noun: string,
  outcomes: readonly Outcome[],
  options: Pick<Action, "weight" | "refusals"> & {
    of(known: Known): readonly { id: string }[];
    learns?: Partial<Record<Outcome, keyof Known>>;
  },
): Action[] {
  const { of, learns, ...common } = options;
  return outcomes.map((outcome) => ({
    ...common,
    name: `simulate ${noun}: ${outcome}`,
    request: ({ known }, random) => {
      const call = postTo(`/sandbox/${noun}`, of(known), "/simulate", random);
      return call && { ...call, body: { outcome } };
    },
    ...(learns?.[outcome] && { learns: learns[outcome] }),
  }));
}

/** Picks two wallets of the same currency. */
export function pickPair(wallets: readonly StormWallet[], random: Random): (string | undefined)[] {
  const othersOf = ({ id, currency }: StormWallet) =>
    wallets.filter((other) => other.id !== id && other.currency === currency);
  const from = random.pick(wallets.filter((wallet) => othersOf(wallet).length > 0));
  return [from?.id, from && random.pick(othersOf(from))?.id];
}
