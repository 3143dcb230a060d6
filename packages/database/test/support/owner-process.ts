import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { waitFor } from "@gateway/testkit";

export type OwnerProcess = {
  pid: number;
  ready(): Promise<{ url: string; adopted: boolean }>;
  /** The number of the last row whose commit was acknowledged. */
  lastRow(): number;
  complaint(): string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  exited: Promise<number | null>;
};

const script = fileURLToPath(new URL("./owner.ts", import.meta.url));

/** Starts `owner.ts` on a data folder, as the leader of a process group like a command at a terminal. */
export function startOwnerProcess(dataDir: string): OwnerProcess {
  const child = spawn(process.execPath, [script, dataDir], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  let greeting: string | undefined;
  let lastRow = 0;
  let complaint = "";
  createInterface(child.stdout).on("line", (line) => {
    const [word, rest] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
    if (word === "ready") {
      greeting = rest;
    } else {
      lastRow = Number(rest);
    }
  });
  child.stderr.on("data", (chunk) => (complaint += String(chunk)));
  return {
    pid: child.pid ?? 0,
    ready: async () => {
      await waitFor(() => greeting ?? child.exitCode !== null);
      if (greeting === undefined) {
        throw new Error(`The owner ended with ${child.exitCode}: ${complaint}`);
      }
      return JSON.parse(greeting) as { url: string; adopted: boolean };
    },
    lastRow: () => lastRow,
    complaint: () => complaint,
    kill: (signal) => {
      child.kill(signal);
      return exited;
    },
    exited,
  };
}
