import { isUnavailable, isWithoutPartition } from "@gateway/database";
import { timeOfId, type Clock, type Logger } from "@gateway/kernel";
import type { LoggedRequest, RequestBatch, RequestLogWriters } from "@gateway/platform/request-log";
import type { Call } from "../pipeline/call.ts";
import { createLosses, type Losses } from "./lost-requests.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";
import { batchSize, createWaitingRequests, type WaitingRequests } from "./waiting-requests.ts";

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
/** Says that this process lives though it is asked nothing. */
const markEveryMs = 500;
const retryAfterMs = 500;
const stopWithinMs = 3_000;

/** What the writer remembers from one batch to the next. */
type Log = RequestLogWriterDeps & {
  writerId: string;
  losses: Losses;
  open: OpenRequests;
  waiting: WaitingRequests;
  /** Taken, and not known to be written. */
  pending: RequestBatch | null;
  batchNumber: number;
  /** The last that was acknowledged. */
  writtenNumber: number;
  startedMs: number;
  /** In the time of `performance.now()`, as `retryAtMs`. */
  markedAtMs: number;
  retryAtMs: number;
  writing: Promise<void> | null;
  isAway: boolean;
  /** Others may have died while this one could not write, or before it began. */
  isBack: boolean;
};

/**
 * Writes requests behind the requests: every `intervalMs`, or when `batchSize` wait, as one statement. One batch at a
 * time, and one that failed is sent again as it was, because nobody knows whether it was written.
 */
export function createRequestLogWriter(deps: RequestLogWriterDeps): RequestLogWriter {
  const log = createLog(deps);
  const { open, losses, waiting } = log;
  const timer = setInterval(() => writeWhenDue(log), deps.intervalMs ?? 250).unref();
  const countLeft = (): number => waiting.size() + (log.pending?.requests.size ?? 0);
  return {
    announce: () => write(log),
    begin: open.begin,
    end: (call, request) => {
      open.end(call);
      if (request) {
        add(log, request);
      }
    },
    endUnknown: (call) => {
      open.end(call);
      lose(log, { id: call.requestId, accountId: null });
    },
    buffered: countLeft,
    lagMs: () => {
      const endedMs = log.pending?.requests.firstEndedMs || waiting.firstEndedMs();
      return endedMs ? Math.max(0, deps.clock.now() - endedMs) : 0;
    },
    stop: async () => {
      clearInterval(timer);
      // Requests whose connection has just ended say so in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      await writeRest(log);
      if (countLeft() > 0 || losses.any()) {
        deps.logger.warn({ requests: countLeft() }, "the last requests were not logged; a gap reports them");
        return;
      }
      await deps.writers
        .end(log.writerId)
        .catch((error: unknown) =>
          deps.logger.warn({ err: error }, "the end of the request log was not marked; a gap reports it"),
        );
    },
  };
}

function createLog(deps: RequestLogWriterDeps): Log {
  return {
    ...deps,
    writerId: deps.writers.createWriterId(),
    losses: createLosses(),
    open: createOpenRequests(),
    waiting: createWaitingRequests(),
    pending: null,
    batchNumber: 0,
    writtenNumber: 0,
    startedMs: deps.clock.now(),
    markedAtMs: -Infinity,
    retryAtMs: 0,
    writing: null,
    isAway: false,
    isBack: true,
  };
}

function add(log: Log, request: LoggedRequest): void {
  if (log.waiting.size() >= mostBuffered) {
    lose(log, request);
    return;
  }
  log.waiting.add(request);
  if (log.waiting.size() >= batchSize && performance.now() >= log.retryAtMs) {
    void write(log);
  }
}

function lose(log: Log, { id, accountId }: { id: string; accountId: string | null }): void {
  log.losses.add({ accountId, fromMs: timeOfId(id), toMs: log.clock.now(), count: 1 });
  log.onLost?.(1);
}

function writeWhenDue(log: Log): void {
  const nowMs = performance.now();
  const isMarkDue = nowMs - log.markedAtMs >= markEveryMs;
  const isDue = log.waiting.size() > 0 || log.pending !== null || log.losses.any() || isMarkDue;
  if (isDue && nowMs >= log.retryAtMs) {
    void write(log);
  }
}

/** One at a time. */
function write(log: Log): Promise<void> {
  log.writing ??= writeOne(log).finally(() => {
    log.writing = null;
  });
  return log.writing;
}

async function writeRest(log: Log): Promise<void> {
  const endMs = performance.now() + stopWithinMs;
  while ((log.writing || log.pending || log.waiting.size() > 0 || log.losses.any()) && performance.now() < endMs) {
    await write(log);
    if (log.pending) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function writeOne(log: Log): Promise<void> {
  const batch = (log.pending ??= takeBatch(log));
  try {
    await send(log, batch);
  } catch (error) {
    log.isBack = true;
    log.retryAtMs = performance.now() + retryAfterMs;
    if (isWithoutPartition(error)) {
      await sendWithPartitions(log, batch);
    } else if (isUnavailable(error)) {
      tellAway(log, error);
    } else {
      giveUp(log, batch, error);
    }
  }
}

function takeBatch(log: Log): RequestBatch {
  const { writerId, waiting, open, losses } = log;
  const takenAtMs = log.clock.now();
  const requests = waiting.take();
  log.batchNumber += 1;
  const completeBeforeMs = Math.min(takenAtMs, open.startOfFirst(), waiting.startedFirstMs());
  return { writerId, number: log.batchNumber, takenAtMs, completeBeforeMs, requests, lost: losses.take() };
}

async function send(log: Log, batch: RequestBatch): Promise<void> {
  const before = await log.writers.write(batch);
  log.pending = null;
  log.markedAtMs = performance.now();
  tellBack(log);
  log.onWritten?.(batch.requests.size);
  if ((before?.batch ?? 0) < log.writtenNumber) {
    tellForgotten(log, { fromMs: before?.completeBefore.getTime() ?? log.startedMs, toMs: batch.takenAtMs });
  }
  log.writtenNumber = batch.number;
  if (log.isBack) {
    await coverSilence(log);
  }
}

/** A standby took over that had not got all, or a backup was restored. */
function tellForgotten({ losses, logger }: Log, time: { fromMs: number; toMs: number }): void {
  logger.warn("Postgres has forgotten requests that were logged; a gap tells of them");
  losses.add({ accountId: null, ...time, count: null });
}

async function coverSilence(log: Log): Promise<void> {
  await log.writers.coverSilence(log.writerId).then(
    () => (log.isBack = false),
    (error: unknown) =>
      log.logger.warn({ err: error }, "the ends of silent writers were not moved; the next batch does it"),
  );
}

async function sendWithPartitions(log: Log, batch: RequestBatch): Promise<void> {
  await log.createPartitions().catch(() => {});
  await send(log, batch).catch((error: unknown) => isWithoutPartition(error) && giveUp(log, batch, error));
}

/** Counted without looking for whose they are: it is a fault of ours. */
function giveUp(log: Log, { requests, lost }: RequestBatch, error: unknown): void {
  log.logger.error({ err: error, requests: requests.size }, "requests could not be logged, and are only counted");
  if (requests.size > 0) {
    log.losses.add({ accountId: null, fromMs: requests.startedFirstMs, toMs: log.clock.now(), count: requests.size });
  }
  lost.forEach(log.losses.add);
  log.onLost?.(requests.size);
  log.pending = null;
}

/** The outage itself is told by the requests that it refuses. */
function tellAway(log: Log, error: unknown): void {
  if (!log.isAway) {
    log.isAway = true;
    log.logger.warn({ err: error }, "the request log cannot be written; what is to be logged waits");
  }
}

function tellBack(log: Log): void {
  if (log.isAway) {
    log.isAway = false;
    log.logger.info({ requests: log.waiting.size() }, "the request log is written again");
  }
}
