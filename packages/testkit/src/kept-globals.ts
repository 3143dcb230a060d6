import { afterAll } from "vitest";

const names = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "queueMicrotask",
  "Date",
  "fetch",
  "navigator",
  "performance",
] as const;

const key = Symbol.for("gateway.kept-globals");
type Kept = Record<string, unknown>;

/** The globals before the first file of this worker, when nothing has replaced them yet. */
const kept: Kept = ((globalThis as { [key]?: Kept })[key] ??= readGlobals());

/**
 * Fails the file that leaves a timer, a clock or another global of the process replaced. The files after it in the same
 * worker would run with the replacement, and wait for timers that never fire.
 */
afterAll(() => {
  const now = readGlobals();
  const replaced = names.filter((name) => now[name] !== kept[name]);
  if (replaced.length > 0) {
    throw new Error(`This file leaves replaced, for the files after it: ${replaced.join(", ")}.`);
  }
});

function readGlobals(): Kept {
  return Object.fromEntries(names.map((name) => [name, globalThis[name]]));
}
