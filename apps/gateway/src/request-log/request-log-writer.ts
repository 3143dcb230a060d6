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
  /** Called with the size of each batch that was written, and with the number of requests that could not be kept. */
  onWritten?(count: number): void;
  onLost?(count: number): void;
  intervalMs?: number;
};

export interface RequestLogWriter {
  /** Registers the writer before the first request, so that a kill is reported after that. */
  announce(): Promise<void>;
  /** If the process is killed after this, the log reports that this request may be missing. */
  begin(call: Call): void;
  /** `request`: null for a request that is not logged. */
  end(call: Call, request: LoggedRequest | null): void;
  /** The counterpart of `end` for a request whose account is unknown: a gap reports it to all accounts. */
  endUnknown(call: Call): void;
  /** Requests that wait to be written. */
  buffered(): number;
  /** How long the oldest of them has waited. */
  lagMs(): number;
  /** Writes the rest, for a few seconds at most. No request may follow. */
  stop(): Promise<void>;
}

/** Maximum number of requests that wait to be written; more are only counted. At 400 bytes each it is 8 MB. */
export const mostBuffered = 20_000;
/** Interval of the writer's sign of life while there are no requests. */
const markEveryMs = 500;
const retryAfterMs = 500;
const stopWithinMs = 3_000;

/** State of the writer between batches. */
type Log = RequestLogWriterDeps & {
  writerId: string;
  losses: Losses;
  open: OpenRequests;
  waiting: WaitingRequests;
  /** Taken, and not known to be written. */
  pending: RequestBatch | null;
  batchNumber: number;
  /** The last batch that was acknowledged. */
  writtenNumber: number;
  startedMs: number;
  /** Time of `performance.now()`, like `retryAtMs`. */
  markedAtMs: number;
  retryAtMs: number;
  writing: Promise<void> | null;
  isAway: boolean;
  /** Other writers may have died while this one could not write, or before it began. */
  isBack: boolean;
};

/**
 * Writes requests in the background: every `intervalMs`, or when `batchSize` wait, as one statement. One batch is sent
 * at a time. A failed batch is sent again unchanged, because it may have been written.
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

/** Reports a gap after the failover to a standby that had not received everything, or after the restore of a backup. */
function tellForgotten({ losses, logger }: Log, time: { fromMs: number; toMs: number }): void {
  logger.warn("Postgres has forgotten requests that were logged; a gap reports them");
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

/** Counted without their accounts, because this is a fault of the gateway. */
function giveUp(log: Log, { requests, lost }: RequestBatch, error: unknown): void {
  log.logger.error({ err: error, requests: requests.size }, "requests could not be logged, and are only counted");
  if (requests.size > 0) {
    log.losses.add({ accountId: null, fromMs: requests.startedFirstMs, toMs: log.clock.now(), count: requests.size });
  }
  lost.forEach(log.losses.add);
  log.onLost?.(requests.size);
  log.pending = null;
}

/** Logged once. The requests that the outage refuses report it too. */
function tellAway(log: Log, error: unknown): void {
  if (!log.isAway) {
    log.isAway = true;
    log.logger.warn({ err: error }, "the request log cannot be written; requests to log are kept until it can");
  }
}

function tellBack(log: Log): void {
  if (log.isAway) {
    log.isAway = false;
    log.logger.info({ requests: log.waiting.size() }, "the request log is written again");
  }
}
