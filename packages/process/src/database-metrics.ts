import type { Database } from "@gateway/database";
import { Gauge, Histogram, type Registry } from "prom-client";

export type MeasuredDatabase = Pick<Database<unknown>, "poolUsage" | "onQuery"> & {
  /** How far this machine's clock is ahead of Postgres'; negative when it is behind. */
  clock: { differenceMs(): number };
};

/** Measures the database connections and the machine's clock at each scrape, and the duration of queries. */
export function addDatabaseMetrics(
  registry: Registry,
  program: string,
  { poolUsage, onQuery, clock }: MeasuredDatabase,
): void {
  const add = (name: keyof ReturnType<typeof poolUsage>, seriesName: string, help: string): void => {
    new Gauge({
      name: `${program}_database_pool_${seriesName}`,
      help,
      registers: [registry],
      collect() {
        this.set(poolUsage()[name]);
      },
    });
  };
  add("size", "size", "Connections to the database that this process opens at most.");
  add("inUse", "in_use", "Of them, those that work now.");
  add("waiting", "waiting", "Queries and transactions that wait for one of them; after a second they are given up.");
  add(
    "leftBehind",
    "left_behind",
    "Sessions of the database that wait for a synchronous standby, looked for after a query took too long; from 20 on writes are refused.",
  );
  const queries = new Histogram({
    name: `${program}_database_query_duration_seconds`,
    help: "Time of a query from its sending to its response or its failure, without the wait for a connection.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  onQuery((durationMs) => queries.observe(durationMs / 1000));
  new Gauge({
    name: `${program}_clock_difference_seconds`,
    help: "How far this machine's clock is ahead of Postgres', which is used; negative when it is behind.",
    registers: [registry],
    collect() {
      this.set(clock.differenceMs() / 1000);
    },
  });
}
