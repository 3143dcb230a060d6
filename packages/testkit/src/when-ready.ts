import type { TestProcess } from "./start-process.ts";
import { waitFor, type WaitOptions } from "./wait-for.ts";

/**
 * Resolves when `/readyz` responds with 200. When the program ends or is not ready in time, rejects with the program's
 * output and ends the program.
 */
export async function whenReady(program: TestProcess, metricsPort: number, options: WaitOptions): Promise<void> {
  let hasEnded = false;
  void program.exited.then(() => (hasEnded = true));
  try {
    await waitFor(
      async () => hasEnded || (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status === 200,
      options,
    );
  } catch (cause) {
    await program.destroy();
    throw new Error(`A program is not ready: ${program.stdout()}${program.stderr()}`, { cause });
  }
  if (hasEnded) {
    throw new Error(`A program did not start: ${program.stdout()}${program.stderr()}`);
  }
}
