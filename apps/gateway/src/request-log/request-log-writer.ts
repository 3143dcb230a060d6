import { isUnavailable, isWithoutPartition } from "@gateway/database";
import { timeOfId, type Clock, type Logger } from "@gateway/kernel";
import {
  PackedRequests,
  type LoggedRequest,
  type LostRequests,
  type RequestBatch,
  type RequestLogWriters,
} from "@gateway/platform";
import type { Call } from "../pipeline/call.ts";
import { createOpenRequests } from "./open-requests.ts";

export type RequestLogWriterDeps = {
  writers: RequestLogWriters;
  createPartitions(): Promise<void>;
  clock: Clock;
  logger: Logger;
  /** Told of each batch that was written, and of what could not be kept. */
  onWritten?(count: number): void;
  onLost?(count: number): void;
  intervalMs?: number;
};

export interface RequestLogWriter {
  /** Says that this process writes, before the first request comes: from then on a kill is told. */
  announce(): Promise<void>;
  /** From here on a killed process tells that this request may be missing. */
  begin(call: Call): void;
  /** `request`: null of one that is not logged. */
  end(call: Call, request: LoggedRequest | null): void;
  /** As `end`, of a request of which nobody can say whose it was: a gap tells of it to all. */
  endUnknown(call: Call): void;
  /** Requests that wait to be written. */
  buffered(): number;
  /** How long the oldest of them has waited. */
  lagMs(): number;
  /** Writes what there is, for a few seconds at most. Nothing may come after it. */
  stop(): Promise<void>;
}

/** What waits to be written at most; what comes then is counted. At 400 bytes each it is 8 MB. */
export const mostBuffered = 20_000;
/** What is written at once, and at most: each batch has its price, whatever is in it. */
const batchSize = 1_000;
/** Says that this process lives though it is asked nothing: a gap is as long as what is not known. */
const markEveryMs = 500;
const retryAfterMs = 500;
/** Longer than a crash of Postgres reaches back. */
const rememberMs = 3_000;
const stopWithinMs = 3_000;
const mostLosers = 1_000;
/** Memory that is kept for what comes. */
const mostSpare = 8;
const spareBytes = 1_000_000;

/**
 * Writes requests behind the requests: every `intervalMs`, or when `batchSize` wait, as one statement. One batch at a time, and one that failed is
 * sent again as it was, for nobody knows whether it was written. No request waits for it.
 */
export function createRequestLogWriter(deps: RequestLogWriterDeps): RequestLogWriter {
  const { writers, clock, logger, intervalMs = 250 } = deps;
  const writerId = writers.createWriterId();
  const losses = createLosses(clock);
  const open = createOpenRequests();
  const waiting = createWaiting();
  let pending: RequestBatch | null = null;
  let written: RequestBatch[] = [];
  let batchNumber = 0;
  let markedAtMs = -Infinity;
  let retryAtMs = 0;
  let writing: Promise<void> | null = null;
  /** A turn came while an earlier one was being written. */
  let isTurnMissed = false;
  let isAway = false;
  /** Others may have died while this one could not write, or before it began. */
  let isBack = true;
  let lastWrittenMs: number | null = null;
  let isStopping = false;

  const takeBatch = (): RequestBatch => {
    const takenAtMs = clock.now();
    const requests = waiting.take();
    batchNumber += 1;
    const completeBeforeMs = Math.min(takenAtMs, open.startOfFirst(), waiting.startedFirstMs());
    return { writerId, number: batchNumber, takenAtMs, completeBeforeMs, requests, lost: losses.take() };
  };

  /** What Postgres had acknowledged and forgot in a crash is written again. */
  const restore = (before: number | null, number: number): void => {
    const gone = written.filter((batch) => batch.number > (before ?? 0) && batch.number < number);
    waiting.putBack(gone.map(({ requests }) => requests));
    losses.addAll(gone.flatMap(({ lost }) => lost));
    written = [];
  };

  const remember = (batch: RequestBatch): void => {
    const sinceMs = batch.takenAtMs - rememberMs;
    while (written[0] && written[0].takenAtMs <= sinceMs) {
      waiting.reuse(written[0].requests);
      written.shift();
    }
    written.push(batch);
  };

  const giveUp = (batch: RequestBatch, error: unknown): void => {
    logger.error({ err: error, requests: batch.requests.size }, "requests could not be logged, and are only counted");
    losses.addAll(batch.requests.asLost(clock.now()));
    losses.addAll(batch.lost);
    deps.onLost?.(batch.requests.size);
    pending = null;
  };

  /** The outage itself is told by the requests that it refuses. */
  const tellAway = (error: unknown): void => {
    if (!isAway) {
      isAway = true;
      logger.warn({ err: error }, "the request log cannot be written; what is to be logged waits");
    }
  };
  const tellBack = (): void => {
    if (isAway) {
      isAway = false;
      logger.info({ requests: waiting.size() }, "the request log is written again");
    }
  };

  const coverSilence = async (): Promise<void> => {
    await writers.coverSilence({ writerId, sinceMs: lastWrittenMs }).then(
      () => (isBack = false),
      (error: unknown) =>
        logger.warn({ err: error }, "the ends of silent writers were not moved; the next batch does it"),
    );
  };

  const wrote = async (batch: RequestBatch, before: number | null): Promise<void> => {
    pending = null;
    markedAtMs = performance.now();
    tellBack();
    deps.onWritten?.(batch.requests.size);
    remember(batch);
    if (before !== batch.number && (before ?? 0) < batch.number - 1) {
      restore(before, batch.number);
    }
    if (isBack) {
      await coverSilence();
    }
    lastWrittenMs = isBack ? lastWrittenMs : batch.takenAtMs;
  };

  const writeWithPartitions = async (batch: RequestBatch): Promise<void> => {
    await deps.createPartitions().catch(() => {});
    await writers.write(batch).then(
      ({ before }) => wrote(batch, before),
      (error: unknown) => isWithoutPartition(error) && giveUp(batch, error),
    );
  };

  const writeOne = async (): Promise<void> => {
    pending ??= takeBatch();
    const batch = pending;
    try {
      const { before } = await writers.write(batch);
      await wrote(batch, before);
    } catch (error) {
      isBack = true;
      retryAtMs = performance.now() + retryAfterMs;
      if (isWithoutPartition(error)) {
        await writeWithPartitions(batch);
      } else if (isUnavailable(error)) {
        tellAway(error);
      } else {
        giveUp(batch, error);
      }
    }
  };

  /** One at a time: the memory of a batch is used again when it is written, so nothing may write it beside that. */
  const write = (): Promise<void> => {
    writing ??= writeOne().finally(() => {
      writing = null;
      const isDue = isTurnMissed || waiting.size() >= batchSize;
      isTurnMissed = false;
      if (isDue && performance.now() >= retryAtMs && !isStopping) {
        void write();
      }
    });
    return writing;
  };

  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isDue = waiting.size() > 0 || pending !== null || losses.any() || nowMs - markedAtMs >= markEveryMs;
    if (isDue && nowMs >= retryAtMs) {
      isTurnMissed = writing !== null;
      void write();
    }
  }, intervalMs).unref();

  const writeRest = async (): Promise<void> => {
    const endMs = performance.now() + stopWithinMs;
    while ((writing || pending || waiting.size() > 0 || losses.any()) && performance.now() < endMs) {
      await write();
      if (pending) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };

  return {
    announce: write,
    begin: open.begin,
    end: (call, request) => {
      open.end(call);
      if (!request) {
        return;
      }
      if (waiting.size() >= mostBuffered) {
        losses.add(request);
        deps.onLost?.(1);
        return;
      }
      waiting.add(request);
      if (waiting.size() >= batchSize && !writing && performance.now() >= retryAtMs) {
        void write();
      }
    },
    endUnknown: (call) => {
      open.end(call);
      losses.add({ id: call.requestId, accountId: null });
      deps.onLost?.(1);
    },
    buffered: () => waiting.size() + (pending?.requests.size ?? 0),
    lagMs: () => {
      const endedMs = pending?.requests.firstEndedMs || waiting.firstEndedMs();
      return endedMs ? Math.max(0, clock.now() - endedMs) : 0;
    },
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      // Requests whose connection has just ended say so in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      await writeRest();
      const left = waiting.size() + (pending?.requests.size ?? 0);
      if (left > 0 || losses.any()) {
        logger.warn({ requests: left }, "the last requests were not logged; a gap tells of them");
        return;
      }
      await writers
        .end(writerId)
        .catch((error: unknown) =>
          logger.warn({ err: error }, "the end of the request log was not marked; a gap tells of it"),
        );
    },
  };
}

type Waiting = {
  add(request: LoggedRequest): void;
  size(): number;
  startedFirstMs(): number;
  firstEndedMs(): number;
  /** The oldest, at most `batchSize`; none when there are none. */
  take(): PackedRequests;
  /** In front of all others. */
  putBack(packs: readonly PackedRequests[]): void;
  /** Nothing asks for it any more: others may take its memory. */
  reuse(pack: PackedRequests): void;
};

/** Requests wait in packs, each of which is written as a whole; the last of them is being filled. */
function createWaiting(): Waiting {
  const packs: PackedRequests[] = [];
  const spare: PackedRequests[] = [];
  let size = 0;
  return {
    add: (request) => {
      let pack = packs.at(-1);
      if (!pack || pack.size >= batchSize) {
        pack = spare.pop() ?? new PackedRequests();
        packs.push(pack);
      }
      pack.add(request);
      size += 1;
    },
    size: () => size,
    // Seldom is there any: what waits is taken whole, unless it piled up.
    startedFirstMs: () => packs.reduce((least, pack) => Math.min(least, pack.startedFirstMs), Infinity),
    firstEndedMs: () => packs[0]?.firstEndedMs ?? 0,
    take: () => {
      const pack = packs.shift() ?? spare.pop() ?? new PackedRequests();
      size -= pack.size;
      return pack;
    },
    putBack: (gone) => {
      packs.unshift(...gone);
      size += gone.reduce((sum, pack) => sum + pack.size, 0);
    },
    reuse: (pack) => {
      if (spare.length < mostSpare && pack.memoryBytes <= spareBytes) {
        pack.clear();
        spare.push(pack);
      }
    },
  };
}

type Losses = {
  add(request: { id: string; accountId: string | null }): void;
  addAll(lost: readonly LostRequests[]): void;
  any(): boolean;
  take(): LostRequests[];
};

/** What was lost of each account, from the first to the last; of the thousandth and more, without a name. */
function createLosses(clock: Clock): Losses {
  let byAccount = new Map<string | null, LostRequests>();
  const add = ({ accountId, fromMs, toMs, count }: LostRequests): void => {
    const name = byAccount.has(accountId) || byAccount.size < mostLosers ? accountId : null;
    const known = byAccount.get(name);
    byAccount.set(
      name,
      known
        ? {
            accountId: name,
            fromMs: Math.min(known.fromMs, fromMs),
            toMs: Math.max(known.toMs, toMs),
            count: known.count + count,
          }
        : { accountId: name, fromMs, toMs, count },
    );
  };
  return {
    add: ({ id, accountId }) => add({ accountId, fromMs: timeOfId(id), toMs: clock.now(), count: 1 }),
    addAll: (lost) => lost.forEach(add),
    any: () => byAccount.size > 0,
    take: () => {
      const lost = [...byAccount.values()];
      byAccount = new Map();
      return lost;
    },
  };
}
