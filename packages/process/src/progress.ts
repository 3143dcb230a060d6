export type Progress = {
  step(text: string): void;
  /** Clears the line. Nothing follows. */
  end(): void;
};

export type ProgressStream = { isTTY?: boolean; write(text: string): unknown };

/** Shorter waits do not look like a hang. */
const quietMs = 2_000;

/** Overwrites one line of the terminal. Prints nothing elsewhere, or for a step shorter than two seconds. */
export function createProgress(stream: ProgressStream = process.stderr): Progress {
  if (!stream.isTTY) {
    return { step: () => {}, end: () => {} };
  }
  let current = { text: "", startedAtMs: performance.now() };
  const timer = setInterval(() => {
    const passedMs = performance.now() - current.startedAtMs;
    if (passedMs >= quietMs) {
      stream.write(`${clearLine}${current.text} (${Math.round(passedMs / 1000)} s)`);
    }
  }, 1_000);
  timer.unref();
  return {
    step: (text) => {
      stream.write(clearLine);
      current = { text, startedAtMs: performance.now() };
    },
    end: () => {
      clearInterval(timer);
      stream.write(clearLine);
    },
  };
}

const clearLine = "\r\u{1b}[2K";
