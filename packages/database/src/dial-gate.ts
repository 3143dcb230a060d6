import { setTimeout as delay } from "node:timers/promises";

/** Shut by a failed dial, it lets one at a time through, with doubling pauses. The first success opens it for all. */
export interface DialGate {
  /** Runs `dial` at once or in its turn. An abort gives the turn back and counts as no failure. */
  pass<Result>(dial: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  isShut(): boolean;
}

export type DialGateDeps = {
  pause(ms: number): Promise<unknown>;
  random(): number;
};

/** Short at first, because most outages are one broken connection. The jitter is half of it. */
const firstPauseMs = 50;
const longestPauseMs = 2_000;

export function createDialGate(deps: DialGateDeps = { pause: delay, random: Math.random }): DialGate {
  return new Gate(deps);
}

type Turn = { signal: AbortSignal; begin(turn: Turn | null): void };

class Gate implements DialGate {
  readonly #deps: DialGateDeps;
  /** Since the gate was last open; 0 when it is open. */
  #failures = 0;
  #isPausing = false;
  #turn: Turn | null = null;
  readonly #queue = new Set<Turn>();

  constructor(deps: DialGateDeps) {
    this.#deps = deps;
  }

  isShut(): boolean {
    return this.#failures > 0;
  }

  async pass<Result>(dial: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    const turn = this.isShut() ? await this.#takeTurn(signal) : null;
    try {
      signal.throwIfAborted();
      const result = await dial();
      this.#open();
      return result;
    } catch (error) {
      if (signal.aborted) {
        this.#giveBack(turn);
      } else {
        this.#fail(turn);
      }
      throw error;
    }
  }

  /** Null when the gate opened meanwhile. */
  async #takeTurn(signal: AbortSignal): Promise<Turn | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn | null>();
    const turn: Turn = { signal, begin: resolve };
    const leave = (): void => {
      if (this.#queue.delete(turn)) {
        reject(signal.reason);
      }
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#queue.add(turn);
    this.#next();
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #next(): void {
    const [turn] = this.#queue;
    if (turn && this.#turn === null && !this.#isPausing) {
      this.#queue.delete(turn);
      this.#turn = turn;
      turn.begin(turn);
    }
  }

  #open(): void {
    this.#failures = 0;
    this.#turn = null;
    const waiting = [...this.#queue];
    this.#queue.clear();
    waiting.forEach((turn) => turn.begin(null));
  }

  /** Dials that began while the gate was open may fail together: only the first of them shuts it. */
  #fail(turn: Turn | null): void {
    if (!this.isShut() || (turn !== null && turn === this.#turn)) {
      this.#turn = null;
      this.#failures += 1;
      void this.#pause();
    }
  }

  #giveBack(turn: Turn | null): void {
    if (turn !== null && turn === this.#turn) {
      this.#turn = null;
      this.#next();
    }
  }

  async #pause(): Promise<void> {
    if (this.#isPausing) {
      return;
    }
    this.#isPausing = true;
    const longestMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
    await this.#deps.pause(longestMs * (1 - this.#deps.random() / 2));
    this.#isPausing = false;
    this.#next();
  }
}
