/**
 * For a program that could not be started: null where the machine has none, an error in CI, for a skipped test proves
 * nothing.
 */
export function skipWithout(program: string, error: Error): null {
  if (process.env["CI"] || !("code" in error) || error.code !== "ENOENT") {
    throw new Error(`The tests need ${program}, which could not be started. Install it.`, { cause: error });
  }
  console.error(`Skipped: this machine has no ${program}. Install it to run these tests.`);
  return null;
}
