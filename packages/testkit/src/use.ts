import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/** What `start` gives, for all tests of a suite: it is there once they run, and `stop` ends it after them. */
export function useAll<Thing extends object>(
  start: () => Promise<Thing>,
  stop: (thing: Thing) => Promise<unknown> = async () => {},
): Thing {
  // Filled before the first test. What was started sooner is stopped later.
  const thing = {} as Thing;
  beforeAll(async () => void Object.assign(thing, await start()));
  afterAll(() => stop(thing));
  return thing;
}

/** What `make` makes, made again before each test; `end` ends it after each. */
export function useEach<Thing extends object>(
  make: () => Promise<Thing>,
  end: (thing: Thing) => Promise<unknown> = async () => {},
): Thing {
  const thing = {} as Thing;
  beforeEach(async () => void Object.assign(thing, await make()));
  afterEach(() => end(thing));
  return thing;
}
