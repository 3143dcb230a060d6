import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync } from "node:fs";

export type ChildOptions = {
  args?: readonly string[];
  execArgv?: readonly string[];
  /** The file for its standard output, which is discarded by default. */
  logFile?: string;
};

/** A child that responds to each message with one message. It ends when this process disconnects or dies. */
export class ChildProcessHandle {
  readonly #child: ChildProcess;
  readonly #file: string;

  constructor(module: URL, { args = [], execArgv = [], logFile }: ChildOptions = {}) {
    const output = logFile === undefined ? "ignore" : openSync(logFile, "a");
    this.#file = module.pathname;
    this.#child = fork(module, [...args], { execArgv: [...execArgv], stdio: ["ignore", output, "inherit", "ipc"] });
    if (typeof output === "number") {
      closeSync(output);
    }
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  async ask(message: object): Promise<unknown> {
    if (!this.#child.connected) {
      throw new Error(`${this.#file} has ended.`);
    }
    const answer = this.nextMessage();
    this.#child.send(message);
    return answer;
  }

  async nextMessage(): Promise<unknown> {
    const waiting = new AbortController();
    try {
      return await Promise.race([
        once(this.#child, "message", { signal: waiting.signal }).then(([message]) => message as unknown),
        once(this.#child, "exit", { signal: waiting.signal }).then(([code]) => {
          throw new Error(`${this.#file} ended with ${String(code)}.`);
        }),
      ]);
    } finally {
      waiting.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return;
    }
    const exited = once(this.#child, "exit");
    this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await exited;
    clearTimeout(timer);
  }
}
