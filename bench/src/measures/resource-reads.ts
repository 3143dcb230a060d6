import { compare } from "../compare.ts";
import { atLeast, round } from "../row.ts";
import { computedReads } from "../setup/computed-reads.ts";
import { fillBusyAccount, findNewestId, listedResources } from "../setup/busy-account.ts";
import type { Measure } from "./measure.ts";

const connections = 16;
/** More than a page. */
const each = 40;

/**
 * The first page of each resource that moves money or trades, and a single one of each, through the whole gateway against an Express app
 * that runs the same query, or computes the same. In the sandbox, for only there an account can be filled by calls, and there each answer is held against the document.
 */
export const measureResourceReads: Measure = async ({ installation, generator, startServer, quick, signal }) => {
  const { sandbox } = installation;
  const { accountId, key } = await sandbox.createAccount();
  const gateway = await startServer("gateway.ts", sandbox.gatewayOptions({ page: "database" }));
  const bare = await startServer("bare-resources.ts", {
    ...{ databaseUrl: sandbox.url, accountId, encryptionKey: sandbox.encryptionKey.toString("base64") },
  });
  const { port } = gateway;
  await fillBusyAccount({ port, key }, quick ? 2 : each);
  const targets: string[] = [];
  for (const { path, hasGet } of listedResources) {
    targets.push(path, ...(hasGet ? [`${path}/${await findNewestId({ port, key }, path)}`] : []));
  }
  for (const { target } of computedReads) {
    const [list = "", isOfOne] = target.split("/{newest}");
    targets.push(isOfOne === undefined ? target : `${list}/${await findNewestId({ port, key }, list)}`);
  }
  const measured: { name: string; ratio: number; micros: number; bareMicros: number }[] = [];
  for (const target of targets) {
    signal.throwIfAborted();
    const workload = { kind: "get", target, key } as const;
    const result = await compare(
      generator,
      [
        { name: "bare", servers: [bare], workload },
        { name: "gateway", servers: [gateway], workload },
      ],
      quick ? { rounds: 1, seconds: 0.1, connections } : { rounds: 5, seconds: 1, connections },
    );
    measured.push({
      name: `GET ${target.replace(/(\w{3}_\w{26}|\d+)$/, "{id}")}`,
      ratio: result.ratio("requestsPerSecond", "gateway", "bare"),
      micros: result.median("gateway", "cpuMicrosPerRequest"),
      bareMicros: result.median("bare", "cpuMicrosPerRequest"),
    });
  }
  return {
    id: "r",
    name: "lists and single resources of the services, from Postgres",
    checks: measured.map(({ name, ratio }) => atLeast(0.5, ratio, `${name}: throughput / bare Express with pg`)),
    figures: Object.fromEntries(
      measured.flatMap(({ name, micros, bareMicros }) => [
        [`${name}: µs CPU/request`, round(micros)],
        [`${name}: µs CPU/request, bare`, round(bareMicros)],
      ]),
    ),
  };
};
