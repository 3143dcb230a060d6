import { setTimeout as delay } from "node:timers/promises";

export interface RegisteredOrigins {
  /** Whether an application has a redirect URI at this origin, as far as we know; it asks nobody. */
  has(origin: string): boolean;
  learn(applicationId: string): Promise<void>;
  refresh(): Promise<void>;
  /** After the first try. */
  whenRead(): Promise<void>;
  stop(): Promise<void>;
}

export type RegisteredOriginsDeps = {
  read(applicationId?: string): Promise<readonly string[]>;
  /** Whether changes are heard of. */
  isListening(): boolean;
  /** How often all are read again while they are. */
  netMs: number;
  onFailure(error: unknown): void;
};

/** While nobody tells us. */
const deafRefreshMs = 5_000;

/** The origins whose pages may call us: in memory, because a preflight comes from anybody, before any credential. */
export function createRegisteredOrigins({
  read,
  isListening,
  netMs,
  onFailure,
}: RegisteredOriginsDeps): RegisteredOrigins {
  let known: ReadonlySet<string> = new Set();
  /** What was learned while all are read, and may be missing there. */
  let learned = new Set<string>();
  const stopping = new AbortController();

  const refresh = async (): Promise<void> => {
    learned = new Set();
    try {
      known = new Set(await read()).union(learned);
    } catch (error) {
      onFailure(error);
    }
  };
  const firstRead = refresh();
  const refreshForEver = async (): Promise<void> => {
    await firstRead;
    while (!stopping.signal.aborted) {
      const waitMs = isListening() ? netMs : deafRefreshMs;
      // What left the set goes then; until that a page is told of a refusal, and is refused all the same.
      await delay(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      await (stopping.signal.aborted || refresh());
    }
  };
  const running = refreshForEver();

  return {
    has: (origin) => known.has(origin),
    learn: async (applicationId) => {
      try {
        learned = learned.union(new Set(await read(applicationId)));
        known = known.union(learned);
      } catch (error) {
        onFailure(error);
      }
    },
    refresh,
    whenRead: () => firstRead,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
