import { setTimeout as delay } from "node:timers/promises";

export interface RegisteredOrigins {
  /** Whether an application has a redirect URI at this origin, as far as this process knows. Makes no query. */
  has(origin: string): boolean;
  learn(applicationId: string): Promise<void>;
  refresh(): Promise<void>;
  /** Resolves after the first attempt to read. */
  whenRead(): Promise<void>;
  stop(): Promise<void>;
}

export type RegisteredOriginsDeps = {
  read(applicationId?: string): Promise<readonly string[]>;
  /** Whether notifications of changes are received. */
  isListening(): boolean;
  /** Interval of reading all origins while notifications are received. */
  netMs: number;
  onFailure(error: unknown): void;
};

/** Interval while notifications are not received. */
const deafRefreshMs = 5_000;

/**
 * The origins whose pages may call the API. They are in memory, because anyone can send a preflight without a
 * credential.
 */
export function createRegisteredOrigins({
  read,
  isListening,
  netMs,
  onFailure,
}: RegisteredOriginsDeps): RegisteredOrigins {
  let known: ReadonlySet<string> = new Set();
  /** Origins learned during a read of all, which its result may not contain. */
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
      // Removed origins leave the set at this read. Until then their pages can read refusals, and are refused all the
      // same.
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
