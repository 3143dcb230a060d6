import { compare, type Comparison } from "../compare.ts";
import { atLeast, round, type Row } from "../row.ts";
import type { Measure } from "./measure.ts";

type Name =
  | "gateway"
  | "sandbox"
  | "bare"
  | "operation"
  | "readme"
  | "gatewayWithLimit"
  | "bareWithLimit"
  | "readmeWithLimit";

const target = "/api/v1/wallets";
const connections = 16;

/**
 * The cost of the pipeline: everything from the socket to the envelope is real, and only the page comes from memory. It
 * is compared with an Express app that sends the same bytes and checks nothing, and with express-openapi-validator. One
 * comparison installs that validator as its README does. The other uses only its public middleware for this one
 * operation (docs/adr/0022).
 *
 * Production validates a sample of its responses, the sandbox all of them. The target is for production, and the
 * sandbox's figures are printed next to it.
 */
export const measureMemoryPage: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production, sandbox } = installation;
  const { key } = await production.createAccount();
  const sandboxKey = (await sandbox.createAccount()).key;
  const servers = {
    gateway: await startServer("gateway.ts", production.gatewayOptions({ page: "memory" })),
    sandbox: await startServer("gateway.ts", sandbox.gatewayOptions({ page: "memory" })),
    bare: await startServer("bare-express.ts", {}),
    operation: await startServer("operation-validator.ts", {}),
    readme: await startServer("readme-validator.ts", {}),
  };
  const plain = { kind: "get", target, key } as const;
  const withLimit = { kind: "get", target: `${target}?limit=20`, key } as const;
  const result = await compare<Name>(
    generator,
    [
      { name: "bare", servers: [servers.bare], workload: plain },
      { name: "gateway", servers: [servers.gateway], workload: plain },
      { name: "operation", servers: [servers.operation], workload: plain },
      { name: "readme", servers: [servers.readme], workload: plain },
      { name: "sandbox", servers: [servers.sandbox], workload: { ...plain, key: sandboxKey } },
      { name: "bareWithLimit", servers: [servers.bare], workload: withLimit },
      { name: "gatewayWithLimit", servers: [servers.gateway], workload: withLimit },
      { name: "readmeWithLimit", servers: [servers.readme], workload: withLimit },
    ],
    quick ? { rounds: 1, seconds: 0.2, connections } : { rounds: 7, seconds: 2, connections },
  );
  return rowOf(result);
};

function rowOf(result: Comparison<Name>): Row {
  const rate = (name: Name): number => round(result.median(name, "requestsPerSecond"));
  const cpu = (name: Name): number => round(result.median(name, "cpuMicrosPerRequest"));
  const times = (name: Name, base: Name): number => round(result.ratio("requestsPerSecond", name, base));
  return {
    id: "a",
    name: `GET ${target}, the page from memory`,
    checks: [
      atLeast(0.5, times("gateway", "bare"), "throughput / bare Express"),
      atLeast(3, times("gateway", "readme"), "throughput / the validator's README"),
    ],
    figures: {
      "gateway requests/s": rate("gateway"),
      "bare Express requests/s": rate("bare"),
      "the validator on one operation requests/s": rate("operation"),
      "the validator's README requests/s": rate("readme"),
      "gateway µs CPU/request": cpu("gateway"),
      "bare Express µs CPU/request": cpu("bare"),
      "the validator on one operation µs CPU/request": cpu("operation"),
      "the validator's README µs CPU/request": cpu("readme"),
      "µs CPU/request: bare Express / gateway": round(result.ratio("cpuMicrosPerRequest", "bare", "gateway")),
      "µs CPU/request: the validator's README / gateway": round(
        result.ratio("cpuMicrosPerRequest", "readme", "gateway"),
      ),
      "the validator on one operation / bare Express": times("operation", "bare"),
      "?limit=20: gateway / bare Express": times("gatewayWithLimit", "bareWithLimit"),
      "?limit=20: gateway / the validator's README": times("gatewayWithLimit", "readmeWithLimit"),
      "sandbox (each answer validated) / bare Express": times("sandbox", "bare"),
      "sandbox / the validator's README": times("sandbox", "readme"),
      "sandbox µs CPU/request": cpu("sandbox"),
      "gateway's share of a core": round(result.median("gateway", "busyShare")),
      "bare Express's share of a core": round(result.median("bare", "busyShare")),
    },
  };
}
