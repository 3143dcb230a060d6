import type { PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";
import { breaksConnection } from "./is-unavailable.ts";
import type { StatementNames } from "./statement-names.ts";
import { assertSafeParameters, UnsafeIntegerError } from "./type-parsers.ts";

const transactionControl = /^(begin|start transaction|commit|rollback|savepoint|release)\b/i;

/**
 * One pooled connection. After an error that leaves it in an unknown state it answers nothing more, at once: a rollback
 * on it succeeds without being sent (the server rolls back when the connection closes), so a transaction on a frozen
 * server fails after one timeout, not two.
 */
export class GuardedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #nameOf: StatementNames;
  readonly #onBroken: () => void;
  #broken: Error | null = null;

  constructor(client: pg.PoolClient, nameOf: StatementNames, onBroken: () => void) {
    this.#client = client;
    this.#nameOf = nameOf;
    this.#onBroken = onBroken;
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
      return this.#client.query(sql);
    }
    const values = [...parameters];
    const name = this.#nameOf(sql);
    if (name === undefined) {
      return this.#client.query(sql, values);
    }
    try {
      return await this.#client.query({ name, text: sql, values });
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
    const result = isIdle ? await this.#client.query(sql, values) : null;
    this.#break(error);
    if (result === null) {
      throw error;
    }
    return result;
  }

  #break(error: unknown): void {
    if (!this.#broken) {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      this.#onBroken();
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
