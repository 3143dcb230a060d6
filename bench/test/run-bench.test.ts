import { describe, expect, test } from "vitest";
import type { MeasureId } from "../src/arguments.ts";
import { takeMeasures } from "../src/run-bench.ts";
import type { Row } from "../src/row.ts";

const rowOf = (id: MeasureId): Row => ({ id, name: id, checks: [], figures: {} });
const missing = new Error("The tests need redis-server, which could not be started. Install it.");

describe("what was measured is kept", () => {
  test("when a measure lacks its tool: that is said, and the others are taken", async () => {
    const lines: string[] = [];
    const { rows, failures } = await takeMeasures(["a", "f", "b"], {
      onProgress: (line) => lines.push(line),
      signal: new AbortController().signal,
      take: async (id) => (id === "f" ? Promise.reject(missing) : rowOf(id)),
    });
    expect(rows).toEqual([rowOf("a"), rowOf("b")]);
    expect(failures).toEqual([`(f) was not measured: ${missing.message}`]);
    expect(lines).toEqual(["Measuring (a), 1 of 3.", "Measuring (f), 2 of 3.", failures[0], "Measuring (b), 3 of 3."]);
  });

  test("when it is interrupted: nothing more is begun", async () => {
    const stop = new AbortController();
    const { rows, failures } = await takeMeasures(["a", "b", "d"], {
      onProgress: () => {},
      signal: stop.signal,
      take: async (id) => {
        if (id === "b") {
          stop.abort(new Error("Interrupted."));
          stop.signal.throwIfAborted();
        }
        return rowOf(id);
      },
    });
    expect(rows).toEqual([rowOf("a")]);
    expect(failures).toEqual(["(b) was not measured: Interrupted."]);
  });
});
