import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable } from "@gateway/database";
import type { Platform } from "@gateway/platform/compose/platform";

export type EventLoad = {
  /** The ids of the events whose commit was acknowledged. */
  acknowledged: readonly string[];
  /** The number of tries without an acknowledgement, because the database was away. */
  lostTries(): number;
  /** Resolves when all requested events are acknowledged. */
  done: Promise<void>;
};

export type EventLoadOptions = {
  /** The accounts, which take turns. */
  accountIds: readonly string[];
  count: number;
  /** The time of the last event, approximately. */ overMs: number;
};

const workers = 4;

/** Records events, evenly spread, and continues through outages of the database. */
export function startEventLoad(platform: Platform, { accountIds, count, overMs }: EventLoadOptions): EventLoad {
  const acknowledged: string[] = [];
  const startedAt = performance.now();
  let lostTries = 0;
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      const number = begun;
      begun += 1;
      await delay(Math.max(0, startedAt + (number / count) * overMs - performance.now()));
      for (let id: string | null = null; id === null;) {
        id = await recordWalletEvent(platform, accountIds[number % accountIds.length] ?? "", number);
        if (id === null) {
          lostTries += 1;
          await delay(50);
        } else {
          acknowledged.push(id);
        }
      }
    }
  };
  const done = Promise.all(Array.from({ length: workers }, work)).then(() => {});
  return { acknowledged, lostTries: () => lostTries, done };
}

/** Null when the commit was not acknowledged. The event may be committed nevertheless. */
async function recordWalletEvent(platform: Platform, accountId: string, number: number): Promise<string | null> {
  try {
    const object = {
      id: `wlt_${number}`,
      name: `Wallet ${number}`,
      currency: "EUR" as const,
      status: "active" as const,
      balance: { available: 0, pending: 0, held: 0 },
      externalId: null,
      metadata: {},
      createdAt: new Date().toISOString(),
    };
    const { id } = await platform.inAccount(accountId, ({ events }) =>
      events.record({ accountId, type: "wallet.created", object }),
    );
    return id;
  } catch (error) {
    if (isUnavailable(error)) {
      return null;
    }
    throw error;
  }
}
