import { randomUUID } from "node:crypto";
import { openDatabase } from "@gateway/database";
import { createTypeIds, systemClock } from "@gateway/kernel";
import { createDeliveryQueue, type Schema } from "@gateway/platform";
import { atMost, median, round, type Row } from "../row.ts";
import { openWebhookData, type WebhookData } from "../setup/webhook-data.ts";
import type { Measure } from "./measure.ts";

const few = 1000;
const many = 100_000;
const slots = 64;

/** What a claim costs for each row it takes must not grow with what waits behind them. */
export const measureClaimCost: Measure = async ({ installation, quick }) => {
  const data = await openWebhookData(installation.production);
  const database = openDatabase<Schema>({
    url: installation.production.url,
    queryTimeoutMs: 30_000,
    applicationName: "bench",
  });
  const queue = createDeliveryQueue(database.kysely, {
    retryTimeScale: 1,
    random: Math.random,
    createId: createTypeIds(systemClock),
  });
  const rounds = quick ? 1 : 3;
  const measured: Record<"few" | "many", number[]> = { few: [], many: [] };
  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const name of turn % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const)) {
        measured[name].push(await claimMicros(data, queue, name === "few" ? few : quick ? 5 * few : many));
      }
    }
  } finally {
    await data.clear();
    await data.close();
    await database.close();
  }
  const ratio = median(measured.many.map((value, turn) => value / (measured.few[turn] ?? Number.NaN)));
  return rowOf(ratio, median(measured.few), median(measured.many));
};

function rowOf(ratio: number, fewMicros: number, manyMicros: number): Row {
  return {
    id: "i",
    name: "Claim with 100,000 due against 1,000 due",
    checks: [atMost(1.5, ratio, "time per row / with 1,000 due")],
    figures: { "µs per row with 1,000 due": round(fewMicros), "µs per row with 100,000 due": round(manyMicros) },
  };
}

/** The median time of a claim and the read that follows it, for each of its rows, on a table that was just filled. */
async function claimMicros(
  data: WebhookData,
  queue: ReturnType<typeof createDeliveryQueue>,
  due: number,
): Promise<number> {
  await data.clear();
  const webhooks = await data.createWebhooks({ accounts: 8, perAccount: 8, url: "http://127.0.0.1:1/" });
  await data.insertDue({ webhooks, count: due });
  const dispatcherId = randomUUID();
  await queue.enter(dispatcherId);
  await queue.sweep();
  const micros: number[] = [];
  for (let claim = 0; claim < 40; claim += 1) {
    const startedAtMs = performance.now();
    const limits = { room: slots, unprovenRoom: slots, perAccount: slots, heldByAccount: new Map() };
    const { turns } = await queue.claim({ dispatcherId, notified: [], ...limits });
    const taken = await queue.read(turns.map((turn) => ({ turn, room: 1, after: null })));
    micros.push(((performance.now() - startedAtMs) * 1000) / taken.length);
    await queue.release(dispatcherId, turns);
  }
  await queue.leave(dispatcherId);
  return median(micros);
}
