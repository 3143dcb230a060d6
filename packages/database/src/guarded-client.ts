import type { PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";
import {
  breaksConnection,
  DatabaseUnavailableError,
  TransactionTimeoutError,
  WritesRefusedError,
} from "./is-unavailable.ts";
import type { StatementNames } from "./statement-names.ts";
import { assertSafeParameters, UnsafeIntegerError } from "./type-parsers.ts";

type ClientLimits = {
  queryTimeoutMs: number;
  /** Limits the time from `begin` to the sending of `commit`. */
  transactionTimeoutMs: number;
  /** The start of a transaction when the session has other limits or is shared. Null when none is needed. */
  transactionLimits: string | null;
};

export type GuardedClientOptions = {
  nameOf: StatementNames;
  /** Queries are sent before earlier ones have returned. */
  isPipelined: boolean;
  /** Called for each query, because the longer limits of a start end with it. */
  limits(): ClientLimits;
  /** A query took longer than its limit. */
  onTimeout(): void;
  /** True while no commit may be sent that waits for a standby. */
  refusesWrites(): boolean;
  /** Called once, when the connection must not serve another query. */
  onBroken(): void;
  /** True once a connection that was opened later has broken. */
  isStale(): boolean;
  /** Called for each query that was sent, including those that failed. */
  onQuery(durationMs: number): void;
};

/** Postgres plans queries with array parameters at each call by default: 30 % of its time for a payment. */
const planOnce = "set local plan_cache_mode = force_generic_plan";
const asksForStandby = `select pg_current_xact_id_if_assigned() is not null
  and current_setting('synchronous_commit') not in ('off', 'local')
  and current_setting('synchronous_standby_names') <> '' as waits`;
const transactionControl = /^(begin|start transaction|commit|rollback|savepoint|release)\b/i;

/** One pooled connection. After an error that leaves it in an unknown state, it rejects every query at once. */
export class GuardedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #options: GuardedClientOptions;
  #broken: Error | null = null;
  #deadlineMs = Infinity;

  constructor(client: pg.PoolClient, options: GuardedClientOptions) {
    this.#client = client;
    this.#options = options;
    // Without a listener an error of a connection in use would end the process.
    client.on("error", (error) => this.#break(error));
  }

  // Kysely's second overload is for cursors, which are not configured here.
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(cursor: never): never;
  async query(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    if (this.#broken) {
      return this.#answerBroken(sql, this.#broken);
    }
    assertSafeParameters(parameters);
    const startedAtMs = performance.now();
    try {
      return await this.#run(sql, parameters);
    } catch (error) {
      if (!(error instanceof UnsafeIntegerError) && breaksConnection(error)) {
        this.#break(error);
      }
      throw error;
    } finally {
      this.#options.onQuery(performance.now() - startedAtMs);
    }
  }

  release(destroy = false): void {
    if (!destroy && !this.#broken && !this.#options.isStale()) {
      this.#client.release();
      return;
    }
    destroySocket(this.#client);
    this.#client.release(true);
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (transactionControl.test(sql)) {
      return this.#control(sql);
    }
    const values = [...parameters];
    const name = this.#options.nameOf(sql);
    if (name === undefined) {
      return this.#execute({ text: sql, values });
    }
    try {
      return await this.#execute({ name, text: sql, values });
    } catch (error) {
      if (isStalePlan(error)) {
        return this.#rerunUnnamed(error, sql, values);
      }
      throw error;
    }
  }

  /** A migration changed the columns under a prepared statement. Outside a transaction the query is not lost. */
  async #rerunUnnamed(error: Error, sql: string, values: unknown[]): Promise<unknown> {
    const isIdle = this.#client.getTransactionStatus() === "I";
    const result = isIdle ? await this.#execute({ text: sql, values }) : null;
    this.#break(error);
    if (result === null) {
      throw error;
    }
    return result;
  }

  async #control(sql: string): Promise<unknown> {
    const { transactionLimits, transactionTimeoutMs } = this.#options.limits();
    if (/^(begin|start transaction)\b/i.test(sql)) {
      const beganAtMs = performance.now();
      const parts = [sql, planOnce, ...(transactionLimits === null ? [] : [transactionLimits])];
      const result = await this.#send({ text: parts.join("; ") });
      this.#deadlineMs = beganAtMs + transactionTimeoutMs;
      return result;
    }
    if (/^commit$/i.test(sql)) {
      this.#timeLeftMs();
      await this.#assertWrites();
    }
    if (/^(commit|rollback)$/i.test(sql)) {
      this.#deadlineMs = Infinity;
    }
    return this.#send({ text: sql });
  }

  async #execute(query: pg.QueryConfig): Promise<unknown> {
    const { transactionLimits, queryTimeoutMs } = this.#options.limits();
    const isAlone = this.#client.getTransactionStatus() === "I";
    if (isAlone && this.#options.refusesWrites()) {
      return this.#executeChecked(query, transactionLimits);
    }
    if (isAlone && transactionLimits !== null) {
      return this.#executeAlone(query, transactionLimits);
    }
    return this.#send(query, Math.min(queryTimeoutMs, this.#timeLeftMs()));
  }

  /** Runs the query in a transaction, which carries its limits. */
  async #executeAlone(query: pg.QueryConfig, limits: string): Promise<unknown> {
    if (this.#options.isPipelined) {
      // The commit after a statement that failed is a rollback.
      const parts = [{ text: `begin; ${limits}` }, query, { text: "commit" }].map((part) => this.#send(part));
      await Promise.allSettled(parts);
      const [, result] = await Promise.all(parts);
      return result;
    }
    return this.#executeChecked(query, limits);
  }

  /** Runs the query in a transaction, so that it can be rolled back before its commit. */
  async #executeChecked(query: pg.QueryConfig, limits: string | null): Promise<unknown> {
    await this.#send({ text: ["begin", ...(limits === null ? [] : [limits])].join("; ") });
    try {
      const result = await this.#send(query);
      await this.#assertWrites();
      await this.#send({ text: "commit" });
      return result;
    } catch (error) {
      if (error instanceof WritesRefusedError || !breaksConnection(error)) {
        await this.#send({ text: "rollback" });
      }
      throw error;
    }
  }

  /** Transactions that wrote nothing, or do not wait for a standby, may commit. */
  async #assertWrites(): Promise<void> {
    if (!this.#options.refusesWrites() || this.#client.getTransactionStatus() !== "T") {
      return;
    }
    // The callback of `pg` is typed by its caller.
    const { rows } = (await this.#send({ text: asksForStandby })) as { rows: { waits: boolean }[] };
    if (rows[0]?.waits) {
      throw new WritesRefusedError("Commits wait for a standby that does not answer. No more are sent until it does.");
    }
  }

  /** After the deadline only the rollback is sent. The connection is still usable for it. */
  #timeLeftMs(): number {
    const timeLeftMs = this.#deadlineMs - performance.now();
    if (timeLeftMs <= 0) {
      throw this.#transactionTimeout();
    }
    return timeLeftMs;
  }

  #transactionTimeout(): TransactionTimeoutError {
    return new TransactionTimeoutError(
      `The transaction did not end within ${this.#options.limits().transactionTimeoutMs} ms.`,
    );
  }

  /**
   * Calls `pg` with a callback and without its `query_timeout`. Its promises and timer keep the rows until the next
   * full garbage collection, which cost a tenth of the processor time of listing them.
   */
  #send(query: pg.QueryConfig, limitMs = this.#options.limits().queryTimeoutMs): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#tooLate(limitMs)), limitMs);
      this.#client.query(query, (error: Error | null, result) => {
        clearTimeout(timer);
        if (error) {
          reject(error);
        } else {
          resolve(result);
        }
      });
    });
  }

  /** A transaction that takes too long does not reflect on the other connections. */
  #tooLate(limitMs: number): Error {
    this.#options.onTimeout();
    const { queryTimeoutMs } = this.#options.limits();
    if (limitMs >= queryTimeoutMs) {
      return new DatabaseUnavailableError(`The database did not answer within ${queryTimeoutMs} ms.`);
    }
    this.#broken ??= this.#transactionTimeout();
    return this.#broken;
  }

  #break(error: unknown): void {
    if (!this.#broken) {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      this.#options.onBroken();
    }
  }

  #answerBroken(sql: string, cause: Error): unknown {
    if (/^rollback$/i.test(sql)) {
      return { command: "ROLLBACK", rowCount: 0, rows: [] };
    }
    throw cause;
  }
}

function isStalePlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === "0A000" && error.message.startsWith("cached plan");
}

/** `end()` waits for the server to close its side. A frozen server never does, so the socket is destroyed first. */
export function destroySocket(client: pg.ClientBase): void {
  // `connection` is public in pg's documentation of its internals but missing in its types.
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
