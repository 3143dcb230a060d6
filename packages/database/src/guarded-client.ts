import type { PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";
import { breaksConnection, DatabaseUnavailableError } from "./is-unavailable.ts";
import type { StatementNames } from "./statement-names.ts";
import { assertSafeParameters, UnsafeIntegerError } from "./type-parsers.ts";

export type GuardedClientOptions = {
  nameOf: StatementNames;
  queryTimeoutMs: number;
  /** Called once, when the connection must not serve another query. */
  onBroken(): void;
};

const transactionControl = /^(begin|start transaction|commit|rollback|savepoint|release)\b/i;

/**
 * One pooled connection. After an error that leaves it in an unknown state it answers nothing more, at once: a rollback
 * on it succeeds without being sent (the server rolls back when the connection closes), so a transaction on a frozen
 * server fails after one timeout, not two.
 */
export class GuardedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #options: GuardedClientOptions;
  #broken: Error | null = null;

  constructor(client: pg.PoolClient, options: GuardedClientOptions) {
    this.#client = client;
    this.#options = options;
    // Without a listener an error of a connection in use would end the process.
    client.on("error", (error) => this.#break(error));
  }

  // Kysely's second overload is for cursors, which nobody here configures.
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(cursor: never): never;
  async query(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    if (this.#broken) {
      return this.#answerBroken(sql, this.#broken);
    }
    assertSafeParameters(parameters);
    try {
      return await this.#run(sql, parameters);
    } catch (error) {
      if (!(error instanceof UnsafeIntegerError) && breaksConnection(error)) {
        this.#break(error);
      }
      throw error;
    }
  }

  release(destroy = false): void {
    if (!destroy && !this.#broken) {
      this.#client.release();
      return;
    }
    destroySocket(this.#client);
    this.#client.release(true);
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (transactionControl.test(sql)) {
      return this.#send({ text: sql });
    }
    const values = [...parameters];
    const name = this.#options.nameOf(sql);
    if (name === undefined) {
      return this.#send({ text: sql, values });
    }
    try {
      return await this.#send({ name, text: sql, values });
    } catch (error) {
      if (isStalePlan(error)) {
        return this.#rerunUnnamed(error, sql, values);
      }
      throw error;
    }
  }

  /** A migration changed the columns under a prepared statement. The connection is replaced; outside a transaction the query is not lost. */
  async #rerunUnnamed(error: Error, sql: string, values: unknown[]): Promise<unknown> {
    const isIdle = this.#client.getTransactionStatus() === "I";
    const result = isIdle ? await this.#send({ text: sql, values }) : null;
    this.#break(error);
    if (result === null) {
      throw error;
    }
    return result;
  }

  /**
   * `pg` with a callback and without its `query_timeout`. Its promises, and the timer that it sets itself, keep the rows of a query
   * until the next full garbage collection: 10 kB for a page of 20 wallets, and a tenth of the processor time of listing them.
   */
  #send(query: pg.QueryConfig): Promise<unknown> {
    const { queryTimeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new DatabaseUnavailableError(`The database did not answer within ${queryTimeoutMs} ms.`)),
        queryTimeoutMs,
      );
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

/** `end()` says goodbye and waits for the server's; a frozen server never answers, so the socket goes first. */
export function destroySocket(client: pg.ClientBase): void {
  // `connection` is public in pg's documentation of its internals but missing in its types.
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
