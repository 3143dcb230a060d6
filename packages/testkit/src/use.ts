import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/**
 * The result of `start`, shared by all tests of a suite and filled before the first one. `stop` ends it after the last
 * one.
 */
export function useAll<Thing extends object>(
  start: () => Promise<Thing>,
  stop: (thing: Thing) => Promise<unknown> = async () => {},
): Thing {
  // Filled before the first test. Vitest calls the `afterAll` hooks in reverse order, so what started first stops last.
  const thing = {} as Thing;
  beforeAll(async () => void Object.assign(thing, await start()));
  afterAll(() => stop(thing));
  return thing;
}

/** The result of `make`, which runs before each test. `end` runs after each. */
export function useEach<Thing extends object>(
  make: () => Promise<Thing>,
  end: (thing: Thing) => Promise<unknown> = async () => {},
): Thing {
  // Filled before each test.
  const thing = {} as Thing;
  beforeEach(async () => void Object.assign(thing, await make()));
  afterEach(() => end(thing));
  return thing;
}
