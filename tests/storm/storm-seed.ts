import { randomInt } from "node:crypto";

/** `STORM_SEED`, to repeat a storm, or a random one. Whoever takes it prints it. */
export function chooseStormSeed(): number {
  const given = process.env["STORM_SEED"];
  return given === undefined ? randomInt(2 ** 31) : Number(given);
}
