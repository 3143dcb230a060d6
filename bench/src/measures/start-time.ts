import { services } from "@gateway/contract";
import { chooseLocalPorts } from "@gateway/testkit";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { atMost, median, round } from "../row.ts";
import type { Measure } from "./measure.ts";

const main = new URL("../../../apps/local/src/main.ts", import.meta.url).pathname;
const giveUpAfterMs = 60_000;

/**
 * The time from the start of the process to the first 200: the outage of a deployment or a crash. The first start
 * creates the database, and later ones find it. Each system is stopped in order before the next start.
 */
export const measureStartTime: Measure = async ({ installation, quick, signal }) => {
  const dataDir = join(installation.folder, "start-time");
  const first = await startOnce(dataDir, null);
  const laterSeconds: number[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round += 1) {
    // Checked between two starts, because a system that is stopped during its start leaves its Postgres to the next
    // one.
    signal.throwIfAborted();
    laterSeconds.push((await startOnce(dataDir, first.key)).seconds);
  }
  return {
    id: "e",
    name: "Start of an existing installation to its first answer",
    checks: [atMost(3, median(laterSeconds), "seconds")],
    figures: {
      "first start seconds": round(first.seconds),
      "slowest later start seconds": round(Math.max(...laterSeconds)),
    },
  };
};

/** Starts a system once. Without a known key it waits for the one that the first start prints. */
async function startOnce(dataDir: string, knownKey: string | null): Promise<{ seconds: number; key: string }> {
  const ports = await chooseLocalPorts(services);
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      ...ports,
      LIVEMODE: "false",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = collectOutput(child);
  try {
    const key = knownKey ?? (await untilFound(child, () => /gk_test_\w+/.exec(output())?.[0]));
    await untilFound(child, () => isAnswering(ports.GATEWAY_PORT, key));
    return { seconds: (performance.now() - startedAtMs) / 1000, key };
  } finally {
    await stop(child);
  }
}

function collectOutput(child: ChildProcess): () => string {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/**
 * Uses its own connection that ends with the response, because a stopping server waits for connections that are kept
 * open.
 */
function isAnswering(port: string, key: string): Promise<true | undefined> {
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, path: "/api/v1/wallets", headers: { "X-API-Key": key }, agent: false };
    get(options, (res) => {
      res.resume().once("close", () => resolve(res.statusCode === 200 ? true : undefined));
    }).once("error", () => resolve(undefined));
  });
}

async function untilFound<Found>(
  child: ChildProcess,
  find: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  const deadline = performance.now() + giveUpAfterMs;
  while (child.exitCode === null && performance.now() < deadline) {
    const found = await find();
    if (found !== undefined) {
      return found;
    }
    await delay(5);
  }
  throw new Error(`The system did not start: exit code ${child.exitCode}.`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) {
    return;
  }
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await exited;
  clearTimeout(timer);
}
