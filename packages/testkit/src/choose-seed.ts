import { randomInt } from "node:crypto";

/** `SEED`, which repeats a night that failed, or a random one. `recordSeed` prints it. */
export function chooseSeed(): number {
  const given = process.env["SEED"];
  return given === undefined ? randomInt(2 ** 31) : Number(given);
}
