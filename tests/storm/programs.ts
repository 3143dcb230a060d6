import { spawn, type ChildProcess } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "./random.ts";
import { reservePort } from "./reserve-port.ts";

export type Programs = {
  /** SIGKILL of the process at a place from 0 to 1 in the row, as soon as it works; another process takes its place. */
  killOne(place: number): Promise<void>;
  /** The ports of one that works, or null while none does. */
  pickPorts(): readonly number[] | null;
  /** How many ended by themselves although they had worked. */
  diedCount(): number;
  /** SIGTERM to all; resolves to their exit codes. */
  stop(): Promise<(number | null)[]>;
};

export type ProgramsOptions = {
  app: "dispatcher" | "gateway" | "worker";
  count: number;
  env: Readonly<Record<string, string>>;
  /** Settings that get a port each, of every process another one; the first is that of `/readyz`. */
  portSettings: readonly [string, ...string[]];
  /** For their logs. */
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

/** Where all processes of an app write what they log. */
export function logFileOf(folder: string, app: ProgramsOptions["app"]): string {
  return join(folder, `${app}.log`);
}

/** Processes of an app as they are deployed, each started again whenever it is gone, as a supervisor would. */
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
    // One that finds no database at its start gives up, and is started again.
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

/** Before it works it does not know SIGTERM, and Node ends it: there is nothing that it could lose. */
async function stopSlot(slot: Slot): Promise<number | null> {
  slot.child.kill("SIGTERM");
  const code = await slot.exited;
  return slot.isReady ? code : 0;
}
