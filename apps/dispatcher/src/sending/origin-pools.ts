import { Pool, type buildConnector } from "undici";

export type OriginPools = {
  /** Connections to an origin stay open a moment. `openFresh` opens one for this work alone. */
  use<Result>(origin: string, work: (pool: Pool, openFresh: () => Pool) => Promise<Result>): Promise<Result>;
  size(): number;
  close(): Promise<void>;
};

type Entry = { pool: Pool; users: number; lastUsedMs: number };

/** Kept for a second, or less if the receiver says so. A connection that closes as we write costs a second request. */
const keepAliveMs = 1_000;
const keepAliveMaxMs = 30_000;
const keepAliveMarginMs = 1_000;
const sweepIntervalMs = 5_000;
const idleMs = 10_000;
/** Above this number, pools that are not in use are closed at once. */
const maxIdlePools = 500;
/** Longer than the longest attempt, because the attempt ends a request. */
const safetyTimeoutMs = 10_000;

export function createOriginPools(connect: buildConnector.connector): OriginPools {
  const entries = new Map<string, Entry>();
  const closeIdle = (unusedForMs: number): void => {
    for (const [origin, entry] of entries) {
      if (entry.users === 0 && performance.now() - entry.lastUsedMs >= unusedForMs) {
        entries.delete(origin);
        void entry.pool.destroy();
      }
    }
  };
  const openEntry = (origin: string): Entry => {
    const entry = { pool: openPool(origin, connect), users: 0, lastUsedMs: 0 };
    entries.set(origin, entry);
    return entry;
  };
  const sweep = setInterval(() => closeIdle(idleMs), sweepIntervalMs);
  sweep.unref();
  return {
    use: async (origin, work) => {
      const entry = entries.get(origin) ?? openEntry(origin);
      entry.users += 1;
      const fresh: Pool[] = [];
      const openFresh = (): Pool => {
        const pool = openPool(origin, connect);
        fresh.push(pool);
        return pool;
      };
      try {
        return await work(entry.pool, openFresh);
      } finally {
        fresh.forEach((pool) => void pool.destroy());
        entry.users -= 1;
        entry.lastUsedMs = performance.now();
        if (entries.size > maxIdlePools) {
          closeIdle(0);
        }
      }
    },
    size: () => entries.size,
    close: async () => {
      clearInterval(sweep);
      const pools = [...entries.values()].map((entry) => entry.pool);
      entries.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

function openPool(origin: string, connect: buildConnector.connector): Pool {
  return new Pool(origin, {
    connect,
    pipelining: 1,
    // Otherwise all wait for the first connection to negotiate a protocol, which a silent receiver never does.
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    keepAliveTimeoutThreshold: keepAliveMarginMs,
    headersTimeout: safetyTimeoutMs,
    bodyTimeout: safetyTimeoutMs,
  });
}
