import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DatabaseFault, describeDatabaseFault, describeEmbeddedFault, whenAvailable } from "../src/index.ts";

/** Time stops until a test moves it, except for the pauses between two tries. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function databaseError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
}

function networkError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

const starting = databaseError("57P03", "the database system is starting up");
const full = databaseError("53300", "too many clients");

/** Fails with each of these in turn, each after `tookMs`, and then succeeds. */
function createWork(failures: readonly Error[], { tookMs = 0 }: { tookMs?: number } = {}) {
  const remaining = [...failures];
  return async (): Promise<string> => {
    vi.advanceTimersByTime(tookMs);
    const [failure] = remaining.splice(0, 1);
    if (failure) {
      throw failure;
    }
    return "done";
  };
}

test.each([
  starting,
  full,
  networkError("ECONNREFUSED"),
  networkError("ENOTFOUND"),
  new Error("timeout expired"),
  databaseError("57014", "canceling statement due to statement timeout"),
])("a start waits: $message", async (failure) => {
  const told: string[] = [];
  const work = createWork([failure]);
  expect(await whenAvailable(work, { onWait: ({ message }) => told.push(message) })).toBe("done");
  expect(told).toEqual([failure.message]);
});

test.each([
  databaseError("28P01", "password authentication failed"),
  databaseError("3D000", "no such database"),
  databaseError("42501", "permission denied for schema public"),
  databaseError("25006", "cannot execute INSERT in a read-only transaction"),
  databaseError("08P01", "no such database: none"),
  databaseError("08P01", "SASL authentication failed"),
  new Error("The server does not support SSL connections"),
  new TypeError("undefined is no function"),
])("what does not pass by itself is not waited for: $message", async (failure) => {
  const told: string[] = [];
  await expect(whenAvailable(createWork([failure]), { onWait: ({ message }) => told.push(message) })).rejects.toBe(
    failure,
  );
  expect(told).toEqual([]);
});

test("it says what it waits for at the first failure, and every 10 s from then on", async () => {
  const told: string[] = [];
  const work = createWork([starting, full], { tookMs: 8_000 });
  await whenAvailable(work, { onWait: ({ message }) => told.push(message) });
  expect(told).toEqual([starting.message, starting.message, full.message]);
});

test("it says that nothing has been answered while a try hangs", async () => {
  const told: string[] = [];
  const work = createWork([], { tookMs: 25_000 });
  await whenAvailable(work, { onWait: ({ message }) => told.push(message) });
  expect(told).toEqual(["It has not answered yet.", "It has not answered yet."]);
});

test("it gives up after five minutes, or after what it was given", async () => {
  const always = createWork(Array<Error>(10).fill(starting), { tookMs: 299_999 });
  await expect(whenAvailable(always)).rejects.toBe(starting);
  await expect(whenAvailable(createWork([starting]), { patienceMs: 0 })).rejects.toBe(starting);
});

describe("the sentence for an operator", () => {
  const refused = networkError("ECONNREFUSED");
  const late = new Error("The start failed.", { cause: refused });

  test("names the setting that leads to the database", () => {
    expect(describeDatabaseFault(late)).toBe(
      "The database does not answer (connect ECONNREFUSED). Check DATABASE_URL.",
    );
    expect(describeDatabaseFault(late, "CONSOLE_DATABASE_URL")).toBe(
      "The database does not answer (connect ECONNREFUSED). Check CONSOLE_DATABASE_URL.",
    );
  });

  test("names no setting for the embedded Postgres, which nobody has set", () => {
    expect(describeEmbeddedFault(late, "/data")).toBe(
      "The embedded Postgres of /data does not answer (connect ECONNREFUSED). " +
        "The machine may be too busy for it: start again when it is not, or see /data/postgres.log.",
    );
    expect(describeEmbeddedFault(new TypeError("undefined is no function"), "/data")).toBe(null);
  });

  test("is kept where it was found, whoever asks above", () => {
    const fault = new DatabaseFault("The database does not answer (x). Check CONSOLE_DATABASE_URL.", { cause: late });
    expect([describeDatabaseFault(fault), describeEmbeddedFault(fault, "/data")]).toEqual([
      fault.message,
      fault.message,
    ]);
  });
});
