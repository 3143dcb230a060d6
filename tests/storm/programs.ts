import { spawn, type ChildProcess } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "./random.ts";
import { reservePort } from "./reserve-port.ts";

export type Programs = {
  /**
   * Sends SIGKILL to the process at a place from 0 to 1 in the row, as soon as it is ready. Another process replaces
   * it.
   */
  killOne(place: number): Promise<void>;
  /** The ports of a ready process, or null while none is ready. */
  pickPorts(): readonly number[] | null;
  /** The number of processes that were ready and then ended by themselves. */
  diedCount(): number;
  /** Sends SIGTERM to all. Resolves to their exit codes. */
  stop(): Promise<(number | null)[]>;
};

export type ProgramsOptions = {
  app: "dispatcher" | "gateway" | "worker";
  count: number;
  env: Readonly<Record<string, string>>;
  /** Settings that get a free port each, different for every process. The first is the port of `/readyz`. */
  portSettings: readonly [string, ...string[]];
  /** The folder for their logs. */
  folder: string;
  random: Random;
};

type Slot = {
  child: ChildProcess;
  ports: readonly number[];
  exited: Promise<number | null>;
  isReady: boolean;
  isKilled: boolean;
};

/** The log file that all processes of an app share. */
export function logFileOf(folder: string, app: ProgramsOptions["app"]): string {
  return join(folder, `${app}.log`);
}

/**
 * Starts processes of an app as they are deployed. Each is started again whenever it ends, as a supervisor would do.
 */
export async function startPrograms(options: ProgramsOptions): Promise<Programs> {
  const { app, count, env, portSettings, folder, random } = options;
  let isStopping = false;
  let diedCount = 0;
  const script = join(import.meta.dirname, `../../apps/${app}/src/main.ts`);
  const log = await open(logFileOf(folder, app), "a");
  const slots: Slot[] = [];
  const restartDelays = Array.from({ length: count }, (_, index) => random.stream(`restart ${app} ${index}`));
  const portChoice = random.stream(`ports ${app}`);

  const start = async (index: number): Promise<void> => {
    const reserved = await Promise.all(portSettings.map(() => reservePort()));
    const ports = reserved.map(({ port }) => port);
    const child = spawn(process.execPath, [script], {
      env: {
        PATH: process.env["PATH"] ?? "",
        ...env,
        ...Object.fromEntries(portSettings.map((name, place) => [name, String(ports[place])])),
      },
      stdio: ["ignore", log.fd, log.fd],
    });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve)).finally(() =>
      Promise.all(reserved.map(({ release }) => release())),
    );
    const slot: Slot = { child, ports, exited, isReady: false, isKilled: false };
    slots[index] = slot;
    void exited.then(() => replace(index, slot));
    void watchReadiness(slot);
  };
  const replace = async (index: number, slot: Slot): Promise<void> => {
    if (isStopping) {
      return;
    }
    // A process that finds no database at its start gives up, and is started again.
    diedCount += slot.isReady && !slot.isKilled ? 1 : 0;
    slot.isReady = false;
    await delay(restartDelays[index]?.between(0, 300) ?? 0);
    if (!isStopping) {
      await start(index);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  return {
    killOne: async (place) => {
      const victim = await awaitReady(slots, Math.floor(place * count));
      victim.isKilled = true;
      victim.child.kill("SIGKILL");
      await victim.exited;
    },
    pickPorts: () => portChoice.pick(slots.filter(isWorking))?.ports ?? null,
    diedCount: () => diedCount,
    stop: async () => {
      isStopping = true;
      const codes = await Promise.all(slots.map(stopSlot));
      await log.close();
      return codes;
    },
  };
}

function isWorking({ isReady, isKilled }: Slot): boolean {
  return isReady && !isKilled;
}

async function awaitReady(slots: readonly Slot[], index: number): Promise<Slot> {
  for (;;) {
    const slot = slots[index];
    if (slot && isWorking(slot)) {
      return slot;
    }
    await delay(10);
  }
}

async function watchReadiness(slot: Slot): Promise<void> {
  while (slot.child.exitCode === null && slot.child.signalCode === null && !slot.isReady) {
    const answer = await fetch(`http://127.0.0.1:${slot.ports[0]}/readyz`).catch(() => null);
    slot.isReady = answer?.status === 200;
    await delay(50);
  }
}

/** A process that is not ready does not handle SIGTERM yet, so Node ends it. It has nothing to lose. */
async function stopSlot(slot: Slot): Promise<number | null> {
  slot.child.kill("SIGTERM");
  const code = await slot.exited;
  return slot.isReady ? code : 0;
}
