export type Progress = {
  step(text: string): void;
  /** Takes the line away; nothing follows. */
  end(): void;
};

export type ProgressStream = { isTTY?: boolean; write(text: string): unknown };

/** Sooner than this, nobody asks whether it hangs. */
const quietMs = 2_000;

/** One line of the terminal that is written over; elsewhere, and of what is done within two seconds, nothing. */
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
