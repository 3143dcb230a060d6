import { Gauge, type Registry } from "prom-client";

/** Gauges by name. Each scrape calls `read`. */
export type GaugeSources = Readonly<Record<string, { help: string; read(): number | Promise<number> }>>;

export function addGauges(registry: Registry, gauges: GaugeSources): void {
  for (const [name, { help, read }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  }
}

const measureForMs = 1_000;

/** One query for several gauges, at most once a second. Null when it failed. */
export function measureSeldom<Measures>(measure: () => Promise<Measures>): () => Promise<Measures | null> {
  let asked: Promise<Measures | null> = Promise.resolve(null);
  let askedAt = -Infinity;
  return () => {
    if (performance.now() - askedAt > measureForMs) {
      askedAt = performance.now();
      asked = measure().catch(() => null);
    }
    return asked;
  };
}
