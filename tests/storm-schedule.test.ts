import { expect, test } from "vitest";
import { behaviours } from "./storm/behaviours.ts";
import { planHavoc } from "./storm/havoc.ts";
import { createRandom } from "./storm/random.ts";

const planOf = (seed: number) =>
  planHavoc({ kills: 20, restarts: 4, stormMs: 60_000, groups: 2, random: createRandom(seed) });

test("the same seed makes the same schedule of kills and crashes, another seed another", () => {
  expect(planOf(7)).toEqual(planOf(7));
  expect(planOf(7)).not.toEqual(planOf(8));
  expect(planOf(7).map(({ atMs }) => atMs)).toEqual(
    planOf(7)
      .map(({ atMs }) => atMs)
      .toSorted((left, right) => left - right),
  );
});

test("what others draw, and when, changes no schedule", () => {
  const random = createRandom(7);
  random.fraction();
  random.stream("endpoint 1").fraction();
  const options = { kills: 20, restarts: 4, stormMs: 60_000, groups: 2, random };
  expect(planHavoc(options)).toEqual(planOf(7));
});

test("an event meets the same faults at an endpoint, in whatever order events come", () => {
  const faultsOf = (names: readonly string[]) => {
    const endpoint = createRandom(7).stream("endpoint 9");
    return new Map(
      names.map((name) => {
        const numbers = endpoint.stream(name);
        const luck = numbers.fraction();
        const answers = behaviours.map(({ answer }) => answer({ count: 1, luck }, numbers.stream("attempt 1")));
        return [name, answers];
      }),
    );
  };
  const names = Array.from({ length: 50 }, (_, number) => `wlt_${number}`);
  expect(faultsOf(names.toReversed())).toEqual(faultsOf(names));
});
