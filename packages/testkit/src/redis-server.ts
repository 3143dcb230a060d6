import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./find-free-port.ts";
import { skipWithout } from "./skip-without.ts";
import { waitFor } from "./wait-for.ts";

export type RedisServer = {
  url: string;
  pid: number;
  /** Ends it and removes its folder. Safe to call twice, and after `kill9`. */
  stop(): Promise<void>;
  kill9(): Promise<void>;
  /** Freezes it: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
};

/**
 * A real Redis of one test, in memory, on a loopback port; `port` starts one where a killed one was. Null, with a line
 * printed, where the machine has no `redis-server`; in CI that is an error, for a skipped test proves nothing.
 */
export async function redisServer({ port }: { port?: number } = {}): Promise<RedisServer | null> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-redis-"));
  const chosenPort = port ?? (await findFreePort());
  const child = spawn("redis-server", redisArguments(chosenPort, folder), { stdio: "ignore" });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const missing = new Promise<Error>((resolve) => child.once("error", resolve));
  const outcome = await Promise.race([missing, waitUntilReady(chosenPort, child).catch(asError)]);
  if (outcome instanceof Error) {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
    return skipWithout("redis-server", outcome);
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill("SIGCONT");
    child.kill(signal);
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url: `redis://127.0.0.1:${chosenPort}`,
    pid: outcome,
    stop: () => end("SIGTERM"),
    kill9: () => end("SIGKILL"),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function redisArguments(port: number, folder: string): string[] {
  return ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
}

async function waitUntilReady(port: number, child: ChildProcess): Promise<number | Error> {
  await waitFor(() => child.pid === undefined || child.exitCode !== null || ping(port));
  if (child.pid === undefined || child.exitCode !== null) {
    return new Error(`redis-server ended with ${child.exitCode}.`);
  }
  return child.pid;
}

function ping(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer.toString().startsWith("+PONG"));
    });
    socket.once("error", () => resolve(false));
  });
}
