/** Calls `abort` once with the first signal's reason; returns how to stop. `AbortSignal.any` needs Safari 17.4. */
export function onAbort(signals: readonly AbortSignal[], abort: (reason: unknown) => void): () => void {
  const stops = signals.map((signal) => {
    const listener = (): void => {
      stop();
      abort(signal.reason);
    };
    signal.addEventListener("abort", listener);
    return () => signal.removeEventListener("abort", listener);
  });
  const stop = (): void => stops.forEach((each) => each());
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) {
    stop();
    abort(aborted.reason);
  }
  return stop;
}
