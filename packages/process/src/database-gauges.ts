import type { Database } from "@gateway/database";
import { Gauge, type Registry } from "prom-client";

export type MeasuredDatabase = Pick<Database<unknown>, "poolUsage"> & {
  /** Of this machine's clock to Postgres': positive when it is ahead. */
  clock: { differenceMs(): number };
};

/** The database connections of a program and the clock of its machine, as they are at each scrape. */
export function addDatabaseGauges(registry: Registry, program: string, { poolUsage, clock }: MeasuredDatabase): void {
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
  new Gauge({
    name: `${program}_clock_difference_seconds`,
    help: "How far this machine's clock is ahead of Postgres', which counts; negative when it is behind.",
    registers: [registry],
    collect() {
      this.set(clock.differenceMs() / 1000);
    },
  });
}
