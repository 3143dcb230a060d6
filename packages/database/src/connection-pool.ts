import type { PostgresPool } from "kysely";
import type pg from "pg";
import { destroySocket } from "./guarded-client.ts";
import { DatabaseUnavailableError } from "./is-unavailable.ts";

export type ConnectionPoolOptions = {
  dial(signal: AbortSignal): Promise<pg.Client>;
  /** True while dials wait for their turn. Then the pool dials one connection at a time. */
  isHeldUp(): boolean;
  maxConnections: number;
  /** How long a caller waits for a connection. */
  waitMs(): number;
  /** How long `end` waits for connections in use, and for the server to close its side. */
  endMs: number;
};

type Caller = { resolve(client: pg.PoolClient): void; reject(error: Error): void; timer: NodeJS.Timeout };
type Idle = { client: pg.PoolClient; sinceMs: number };

const idleMs = 60_000;

/** Callers wait in a queue for the next connection, and a dial outlives its caller, unlike in `pg` (ADR 72). */
export class ConnectionPool implements PostgresPool {
  readonly options = {};
  readonly #options: ConnectionPoolOptions;
  readonly #closing = new AbortController();
  /** Clients with a socket, including those that are closing. */
  readonly #alive = new Set<pg.PoolClient>();
  /** Clients that may serve a caller, now or later. */
  readonly #open = new Set<pg.PoolClient>();
  readonly #inUse = new Set<pg.PoolClient>();
  /** The client used last is used next, so that unneeded ones are closed. */
  readonly #idle: Idle[] = [];
  readonly #callers = new Set<Caller>();
  readonly #ended = Promise.withResolvers<void>();
  #dialling = 0;
  #lastFailure: Error | undefined;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  get inUseCount(): number {
    return this.#inUse.size + this.#dialling;
  }

  get waitingCount(): number {
    return Math.max(0, this.#callers.size - this.#dialling);
  }

  /** Rejects as unavailable when no connection becomes free in time. */
  connect(): Promise<pg.PoolClient> {
    const idle = this.#idle.pop();
    if (idle) {
      this.#inUse.add(idle.client);
      return Promise.resolve(idle.client);
    }
    if (this.#closing.signal.aborted) {
      return Promise.reject(closedError());
    }
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    const waitMs = this.#options.waitMs();
    const timer = setTimeout(() => {
      this.#callers.delete(caller);
      reject(this.#tooLate(waitMs));
    }, waitMs);
    const caller = { resolve, reject, timer };
    this.#callers.add(caller);
    this.#dialIfNeeded();
    return promise;
  }

  /** Closes idle connections that are outdated. */
  dropIdle(isOutdated: (client: pg.PoolClient) => boolean): void {
    const outdated = this.#idle.filter(({ client }) => isOutdated(client));
    outdated.forEach(({ client }) => {
      destroySocket(client);
      this.#close(client);
    });
  }

  async end(): Promise<void> {
    this.#closing.abort(closedError());
    clearTimeout(this.#sweep);
    this.#refuseCallers(closedError());
    this.#idle.map(({ client }) => client).forEach((client) => this.#close(client));
    // A frozen server never closes its side, and our stop must not wait for it.
    const timer = setTimeout(() => this.#alive.forEach(destroySocket), this.#options.endMs);
    if (this.#alive.size > 0) {
      await this.#ended.promise;
    }
    clearTimeout(timer);
  }

  #dialIfNeeded(): void {
    const { maxConnections, isHeldUp } = this.#options;
    while (
      this.#callers.size > this.#dialling &&
      this.#open.size + this.#dialling < maxConnections &&
      !(this.#dialling > 0 && isHeldUp())
    ) {
      void this.#dial();
    }
  }

  async #dial(): Promise<void> {
    this.#dialling += 1;
    const outcome = await this.#options.dial(this.#closing.signal).catch(toError);
    this.#dialling -= 1;
    if (outcome instanceof Error) {
      this.#answerFailure(outcome);
    } else {
      this.#lastFailure = undefined;
      this.#admit(outcome);
    }
  }

  /** Callers keep waiting while a connection may still be returned to them. */
  #answerFailure(failure: Error): void {
    this.#lastFailure = failure;
    if (this.#open.size === 0 && this.#dialling === 0) {
      this.#refuseCallers(failure);
    }
    this.#dialIfNeeded();
  }

  #admit(connected: pg.Client): void {
    const client = Object.assign(connected, {
      release: (isBroken?: Error | boolean) => this.#release(client, isBroken),
    }) satisfies pg.PoolClient;
    this.#alive.add(client);
    this.#open.add(client);
    this.#inUse.add(client);
    client.on("error", () => this.#close(client));
    client.once("end", () => {
      this.#close(client);
      this.#alive.delete(client);
      if (this.#closing.signal.aborted && this.#alive.size === 0) {
        this.#ended.resolve();
      }
    });
    this.#release(client);
  }

  #release(client: pg.PoolClient, isBroken: Error | boolean = false): void {
    if (isBroken !== false || this.#closing.signal.aborted) {
      this.#close(client);
      return;
    }
    // It was closed meanwhile, or released already.
    if (!this.#inUse.has(client)) {
      return;
    }
    const [caller] = this.#callers;
    if (caller) {
      this.#leave(caller);
      caller.resolve(client);
    } else {
      this.#inUse.delete(client);
      this.#idle.push({ client, sinceMs: performance.now() });
      this.#sweep ??= setTimeout(() => this.#closeIdle(), idleMs);
    }
    this.#dialIfNeeded();
  }

  #close(client: pg.PoolClient): void {
    if (!this.#open.delete(client)) {
      return;
    }
    const index = this.#idle.findIndex((idle) => idle.client === client);
    if (index >= 0) {
      this.#idle.splice(index, 1);
    }
    this.#inUse.delete(client);
    client.end().catch(() => {});
    this.#dialIfNeeded();
  }

  #closeIdle(): void {
    this.#sweep = undefined;
    const beforeMs = performance.now() - idleMs;
    this.#idle.filter(({ sinceMs }) => sinceMs <= beforeMs).forEach(({ client }) => this.#close(client));
    const [oldest] = this.#idle;
    if (oldest) {
      this.#sweep = setTimeout(() => this.#closeIdle(), oldest.sinceMs - beforeMs);
    }
  }

  #leave(caller: Caller): void {
    this.#callers.delete(caller);
    clearTimeout(caller.timer);
  }

  #refuseCallers(error: Error): void {
    for (const caller of this.#callers) {
      this.#leave(caller);
      caller.reject(error);
    }
  }

  #tooLate(waitMs: number): Error {
    return new DatabaseUnavailableError(
      `The database gave no connection within ${waitMs} ms.`,
      this.#lastFailure && { cause: this.#lastFailure },
    );
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function closedError(): Error {
  return new DatabaseUnavailableError("The database is closed.");
}
