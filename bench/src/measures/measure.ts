import type { LoadGenerator } from "../load/load-generator.ts";
import type { Row } from "../row.ts";
import type { startBenchServer } from "../servers/bench-server.ts";
import type { Installation } from "../setup/installation.ts";

/** The tools of every measure. */
export type MeasureContext = {
  installation: Installation;
  generator: LoadGenerator;
  /** Shortens a measure to a second or two. The row has the same shape, but its numbers mean nothing. */
  quick: boolean;
  /** Aborts when a measure should end early. */
  signal: AbortSignal;
  /** Starts a server that is stopped when the measure ends, even after a failure. */
  startServer: typeof startBenchServer;
};

export type Measure = (context: MeasureContext) => Promise<Row>;
