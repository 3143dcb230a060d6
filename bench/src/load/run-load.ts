import { connect, type Socket } from "node:net";
import { requestText, type Workload } from "./workload.ts";

export type LoadJob = {
  /** The ports among which the connections are distributed in turn. */
  ports: readonly number[];
  connections: number;
  workload: Workload;
  /** The number of the first request of the workload, so that a long one can be sent in parts. */
  firstIndex?: number;
  /** Requests per second of all connections together, evenly spaced. By default as many as the server can take. */
  perSecond?: number;
} & ({ seconds: number } | { requests: number });

export type LoadResult = {
  requests: number;
  seconds: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  medianLatencyMs: number;
  p99LatencyMs: number;
};

/**
 * Closed loop: each connection sends its next request after the last response has arrived and the request is due. The
 * latency of a late request counts from the time when it was due. A connection reads only the status and the length of
 * a response. That costs a tenth of the cheapest server under test, so the server is the limit.
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const textOf = requestText(job.workload);
  const firstIndex = job.firstIndex ?? 0;
  const statuses: Record<string, number> = {};
  const latenciesMs: number[] = [];
  let sent = 0;
  const startedAtMs = performance.now();
  const isOver = (): boolean =>
    "requests" in job ? sent >= job.requests : performance.now() - startedAtMs >= job.seconds * 1000;

  const next = (): Due | null => {
    if (isOver()) {
      return null;
    }
    sent += 1;
    const dueMs = job.perSecond === undefined ? 0 : startedAtMs + ((sent - 1) * 1000) / job.perSecond;
    return { text: textOf(firstIndex + sent - 1), dueMs };
  };
  const answered = (status: string, latencyMs: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latenciesMs.push(latencyMs);
  };
  await Promise.all(
    Array.from({ length: job.connections }, (_, index) => {
      const port = job.ports[index % job.ports.length] ?? 0;
      return runConnection(port, next, answered);
    }),
  );
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - startedAtMs) / 1000,
    statuses,
    medianLatencyMs: sorted[sorted.length >> 1] ?? Number.NaN,
    p99LatencyMs: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  };
}

type Answered = (status: string, latencyMs: number) => void;

/** A request and its time, in ms of `performance.now()`. With 0 it is sent at once. */
type Due = { text: string; dueMs: number };

function runConnection(port: number, next: () => Due | null, answered: Answered): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let sentAtMs = 0;
    const write = (text: string, atMs: number): void => {
      sentAtMs = atMs;
      socket.write(text, "latin1");
    };
    const send = (): void => {
      const due = next();
      if (due === null) {
        socket.end(resolve);
        return;
      }
      const nowMs = performance.now();
      const waitMs = due.dueMs - nowMs;
      if (waitMs > 0) {
        setTimeout(() => write(due.text, performance.now()), waitMs);
      } else {
        write(due.text, due.dueMs || nowMs);
      }
    };
    socket.once("connect", send);
    socket.once("error", reject);
    readAnswers(socket, (status) => {
      answered(status, performance.now() - sentAtMs);
      send();
    });
    socket.once("close", () => reject(new Error(`The server on port ${port} closed a connection.`)));
  });
}

function readAnswers(socket: Socket, onAnswer: (status: string) => void): void {
  let status = "";
  /** Missing bytes of the current response. 0 between responses. */
  let missing = 0;
  let head = "";
  socket.on("data", (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      head += chunk.toString("latin1");
      const bodyAt = head.indexOf("\r\n\r\n") + 4;
      if (bodyAt < 4) {
        return;
      }
      status = head.slice(9, 12);
      missing = bodyAt + contentLengthOf(head.slice(0, bodyAt)) - head.length;
      head = "";
    }
    if (missing === 0) {
      onAnswer(status);
    }
  });
}

function contentLengthOf(head: string): number {
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (length === undefined) {
    throw new Error(`An answer has no Content-Length:\n${head}`);
  }
  return Number(length);
}
