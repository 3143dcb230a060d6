import type { Database } from "@gateway/database";
import { Gauge, type Registry } from "prom-client";

/** The database connections of a program, as they are at each scrape. */
export function addPoolGauges(
  registry: Registry,
  program: string,
  { poolUsage }: Pick<Database<unknown>, "poolUsage">,
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
}
