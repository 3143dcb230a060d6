import { isUnavailable, isWithoutPartition } from "@gateway/database";
import type { Clock, Logger } from "@gateway/kernel";
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
/** Says that this process lives though it is asked nothing: a gap is as long as what is not known. */
const markEveryMs = 500;
const retryAfterMs = 500;
/** Longer than a crash of Postgres reaches back. */
const rememberMs = 3_000;
const stopWithinMs = 3_000;

/** What the writer remembers from one batch to the next. */
type Log = RequestLogWriterDeps & {
  writerId: string;
  losses: Losses;
  open: OpenRequests;
  waiting: WaitingRequests;
  /** Taken, and not known to be written. */
  pending: RequestBatch | null;
  /** Acknowledged of late. */
  written: RequestBatch[];
  batchNumber: number;
  /** In the time of `performance.now()`, as `retryAtMs`. */
  markedAtMs: number;
  retryAtMs: number;
  writing: Promise<void> | null;
  /** A turn came while an earlier one was being written. */
  isTurnMissed: boolean;
  isAway: boolean;
  /** Others may have died while this one could not write, or before it began. */
  isBack: boolean;
  lastWrittenMs: number | null;
  isStopping: boolean;
};

/**
 * Writes requests behind the requests: every `intervalMs`, or when `batchSize` wait, as one statement. One batch at a
 * time, and one that failed is sent again as it was, for nobody knows whether it was written. No request waits for it.
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
      losses.add({ id: call.requestId, accountId: null });
      deps.onLost?.(1);
    },
    buffered: countLeft,
    lagMs: () => {
      const endedMs = log.pending?.requests.firstEndedMs || waiting.firstEndedMs();
      return endedMs ? Math.max(0, deps.clock.now() - endedMs) : 0;
    },
    stop: async () => {
      log.isStopping = true;
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
    losses: createLosses(deps.clock),
    open: createOpenRequests(),
    waiting: createWaitingRequests(),
    pending: null,
    written: [],
    batchNumber: 0,
    markedAtMs: -Infinity,
    retryAtMs: 0,
    writing: null,
    isTurnMissed: false,
    isAway: false,
    isBack: true,
    lastWrittenMs: null,
    isStopping: false,
  };
}

function add(log: Log, request: LoggedRequest): void {
  const { waiting, losses } = log;
  if (waiting.size() >= mostBuffered) {
    losses.add(request);
    log.onLost?.(1);
    return;
  }
  waiting.add(request);
  if (waiting.size() >= batchSize && !log.writing && performance.now() >= log.retryAtMs) {
    void write(log);
  }
}

function writeWhenDue(log: Log): void {
  const nowMs = performance.now();
  const isMarkDue = nowMs - log.markedAtMs >= markEveryMs;
  const isDue = log.waiting.size() > 0 || log.pending !== null || log.losses.any() || isMarkDue;
  if (isDue && nowMs >= log.retryAtMs) {
    log.isTurnMissed = log.writing !== null;
    void write(log);
  }
}

/** One at a time: the memory of a batch is used again when it is written, so nothing may write it beside that. */
function write(log: Log): Promise<void> {
  log.writing ??= writeOne(log).finally(() => {
    log.writing = null;
    const isDue = log.isTurnMissed || log.waiting.size() >= batchSize;
    log.isTurnMissed = false;
    if (isDue && performance.now() >= log.retryAtMs && !log.isStopping) {
      void write(log);
    }
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
    const { before } = await log.writers.write(batch);
    await wrote(log, batch, before);
  } catch (error) {
    log.isBack = true;
    log.retryAtMs = performance.now() + retryAfterMs;
    if (isWithoutPartition(error)) {
      await writeWithPartitions(log, batch);
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

async function wrote(log: Log, batch: RequestBatch, before: number | null): Promise<void> {
  log.pending = null;
  log.markedAtMs = performance.now();
  tellBack(log);
  log.onWritten?.(batch.requests.size);
  remember(log, batch);
  if (before !== batch.number && (before ?? 0) < batch.number - 1) {
    restore(log, before, batch.number);
  }
  if (log.isBack) {
    await coverSilence(log);
  }
  log.lastWrittenMs = log.isBack ? log.lastWrittenMs : batch.takenAtMs;
}

function remember({ written, waiting }: Log, batch: RequestBatch): void {
  const sinceMs = batch.takenAtMs - rememberMs;
  while (written[0] && written[0].takenAtMs <= sinceMs) {
    waiting.reuse(written[0].requests);
    written.shift();
  }
  written.push(batch);
}

/** What Postgres had acknowledged and forgot in a crash is written again. */
function restore(log: Log, before: number | null, number: number): void {
  const gone = log.written.filter((batch) => batch.number > (before ?? 0) && batch.number < number);
  log.waiting.putBack(gone.map(({ requests }) => requests));
  log.losses.addAll(gone.flatMap(({ lost }) => lost));
  log.written = [];
}

async function coverSilence(log: Log): Promise<void> {
  const { writers, writerId, lastWrittenMs: sinceMs, logger } = log;
  await writers.coverSilence({ writerId, sinceMs }).then(
    () => (log.isBack = false),
    (error: unknown) =>
      logger.warn({ err: error }, "the ends of silent writers were not moved; the next batch does it"),
  );
}

async function writeWithPartitions(log: Log, batch: RequestBatch): Promise<void> {
  await log.createPartitions().catch(() => {});
  await log.writers.write(batch).then(
    ({ before }) => wrote(log, batch, before),
    (error: unknown) => isWithoutPartition(error) && giveUp(log, batch, error),
  );
}

function giveUp(log: Log, batch: RequestBatch, error: unknown): void {
  const { losses, logger, clock } = log;
  logger.error({ err: error, requests: batch.requests.size }, "requests could not be logged, and are only counted");
  losses.addAll(batch.requests.asLost(clock.now()));
  losses.addAll(batch.lost);
  log.onLost?.(batch.requests.size);
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
