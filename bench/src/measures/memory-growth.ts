import type { LoadGenerator } from "../load/load-generator.ts";
import { atMost, round } from "../row.ts";
import type { BenchServer } from "../servers/bench-server.ts";
import type { ServerReport } from "../servers/serve.ts";
import type { Measure } from "./measure.ts";

const connections = 16;
/**
 * Samples are taken each tenth of the way; the first two are for compiled code, pools and caches that have a size of
 * their own.
 */
const parts = 10;
const warmUpParts = 2;
const mebibyte = 1024 * 1024;

/**
 * Memory does not grow with requests, not even with what callers choose freely: content types and paths. The heap is
 * read after a garbage collection. It wavers by some 100 kB, so "no growth" is at most 2 MiB between 100,000 and
 * 500,000 requests: 5 bytes a request. A cache that kept 1 kB for each of the 1,000 content types, or 30 bytes for each
 * of the 100,000 paths, would exceed it.
 */
export const measureMemoryGrowth: Measure = async ({ installation, generator, startServer, quick }) => {
  const total = quick ? 2_000 : 500_000;
  const { production } = installation;
  const { key } = await production.createAccount({ wallets: 10 });
  const gateway = await startServer("gateway.ts", production.gatewayOptions({ page: "database" }), {
    execArgv: ["--expose-gc"],
  });
  const samples = await sample(generator, gateway, { key, total });
  const [base, last] = [samples[warmUpParts - 1], samples.at(-1)];
  if (!base || !last) {
    throw new Error("There are fewer samples than the warm-up takes.");
  }
  const grownBytes = last.heapUsedBytes - base.heapUsedBytes;
  return {
    id: "d",
    name: `Memory over ${total} requests, with ${total / 500} content types and ${total / 5} paths`,
    checks: [atMost(2, grownBytes / mebibyte, "growth of the heap in MiB after the warm-up")],
    figures: {
      "bytes grown per request after the warm-up": round(grownBytes / (total * (1 - warmUpParts / parts))),
      "slope in bytes per request (least squares)": round(slopeOf(samples.slice(warmUpParts - 1), total / parts)),
      ...Object.fromEntries(
        samples.map((one, index) => [
          `heap MiB after ${((index + 1) * total) / parts} requests`,
          round(one.heapUsedBytes / mebibyte),
        ]),
      ),
      "RSS MiB after the warm-up": round(base.rssBytes / mebibyte),
      "RSS MiB at the end": round(last.rssBytes / mebibyte),
    },
  };
};

async function sample(
  generator: LoadGenerator,
  gateway: BenchServer,
  { key, total }: { key: string; total: number },
): Promise<ServerReport[]> {
  const workload = { kind: "mixed", key, total, contentTypes: total / 500, paths: total / 5 } as const;
  const requests = total / parts;
  const samples: ServerReport[] = [];
  for (let part = 0; part < parts; part += 1) {
    const job = { ports: [gateway.port], connections, workload, firstIndex: part * requests, requests };
    const { statuses } = await generator.run(job);
    if (statuses["200"] !== requests * 0.6 || statuses["404"] !== requests / 5 || statuses["415"] !== requests / 5) {
      throw new Error(`The answers are not the expected ones: ${JSON.stringify(statuses)}`);
    }
    samples.push(await gateway.report({ collectGarbage: true }));
  }
  return samples;
}

function slopeOf(samples: readonly ServerReport[], requestsPerSample: number): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, one) => sum + one.heapUsedBytes, 0) / samples.length;
  let above = 0;
  let below = 0;
  samples.forEach(({ heapUsedBytes }, index) => {
    above += (index - middle) * (heapUsedBytes - mean);
    below += (index - middle) ** 2;
  });
  return above / below / requestsPerSample;
}
