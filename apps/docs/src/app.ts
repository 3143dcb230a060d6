import { hostForUrl, startServer, type BackgroundBuild } from "@gateway/process";
import { setTimeout as delay } from "node:timers/promises";
import type { DocsConfig } from "./config.ts";
import { createAnswerer } from "./serve/answer.ts";
import { startBackgroundBuild } from "./serve/background-build.ts";
import { siteFolder } from "./folders.ts";

export type DocsDeps = {
  /** Prints a line for a person at the terminal at once. */
  print(line: string): void;
};

export type DocsOverrides = {
  folder?: string;
  startBuild?: typeof startBackgroundBuild;
};

export type RunningDocs = {
  url: string;
  /** The same without a slash at its end, so that a path can be appended. */
  origin: string;
  port: number;
  /** Settles when the build has ended, successfully or not. Settles at once when no build was needed. */
  built: Promise<void>;
  stop(): Promise<void>;
};

/**
 * Serves the built site. A missing or stale one is built in a process of its own, and the old one is served meanwhile.
 * A failing build is logged. Rejects when the port is taken.
 */
export async function startDocs(
  { addresses = null, ...config }: DocsConfig,
  { print }: DocsDeps,
  { folder = siteFolder, startBuild = startBackgroundBuild }: DocsOverrides = {},
): Promise<RunningDocs> {
  let build: BackgroundBuild | null = null;
  const server = await startServer({
    ...config,
    handler: createAnswerer({ folder, failure: () => build?.failure() ?? null }),
  });
  build = await startBuild({ folder, addresses }, print);
  const origin = `http://${hostForUrl(config.host)}:${server.port}`;
  return {
    url: `${origin}/`,
    origin,
    port: server.port,
    built: build.ended,
    stop: async () => {
      await build.stop();
      // Pages are small, so responses in flight are cut off.
      await server.stop(0);
    },
  };
}

/** Announces a long build to a person who waits at a terminal. */
export async function tellOfBuild({ built }: Pick<RunningDocs, "built">, print: (line: string) => void): Promise<void> {
  const startedAtMs = performance.now();
  const isLong = await Promise.race([built.then(() => false), delay(2_000, true, { ref: false })]);
  if (process.stdout.isTTY && isLong) {
    print("The documentation is being built; until then its pages say so.");
    await built;
    print(`The build of the documentation ended after ${Math.round((performance.now() - startedAtMs) / 1000)} s.`);
  }
}
