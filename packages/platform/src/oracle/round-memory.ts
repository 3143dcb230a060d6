import type { DecidedPrice } from "./decide-price.ts";
import type { PriceRound } from "./price-round.ts";

export type Reading = { decided: DecidedPrice | null; goodUntilMs: number | null };

/** A process's memory of values that never change again. It is never wrong, only incomplete. */
export interface RoundMemory {
  readings: Remember<Reading>;
  inForce: Remember<PriceRound | null>;
}

/** Concurrent calls for the same name share one lookup. A failure is not remembered. */
type Remember<Value> = (name: string, look: () => Promise<Value>) => Promise<Value>;

/** The rounds of all symbols in more than an hour. */
const mostEntries = 5_000;

export function createRoundMemory(): RoundMemory {
  return { readings: createRemember(mostEntries), inForce: createRemember(mostEntries) };
}

/** Forgets the oldest lookup. */
function createRemember<Value>(most: number): Remember<Value> {
  const entries = new Map<string, Promise<Value>>();
  return (name, look) => {
    const known = entries.get(name);
    if (known) {
      return known;
    }
    const looked = look();
    entries.set(name, looked);
    looked.catch(() => {
      if (entries.get(name) === looked) {
        entries.delete(name);
      }
    });
    if (entries.size > most) {
      const [oldest = ""] = entries.keys();
      entries.delete(oldest);
    }
    return looked;
  };
}
