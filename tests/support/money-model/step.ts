import { Problem } from "@gateway/contract";
import fc from "fast-check";
import { expect } from "vitest";
import type { Money } from "./model/state.ts";
import type { Books } from "./books.ts";
import type { Answer } from "./model/money.ts";
import { readStanding, standingOf } from "./read-books.ts";

/** One kind of step: the expectation of the model, and the call to the platform. */
export type Step<Raw, Args> = {
  name: string;
  /** The results that it must have had after a run. */
  mustAnswer: readonly Answer[];
  /** Random numbers. They choose among the resources that exist when the step is taken. */
  raw: fc.Arbitrary<Raw>;
  /** Null when the step is not possible. */
  resolve(money: Money, raw: Raw): Args | null;
  /** Changes the model and returns the result that the platform must give. */
  expect(money: Money, args: Args): Answer;
  /** A void result is "done". A refusal is thrown. */
  act(books: Books, args: Args): Promise<Answer | void>;
};

export type StepCommand = fc.AsyncCommand<Money, Books>;

export type WeightedStep = fc.WeightedArbitrary<StepCommand> & { mustHappen: readonly string[] };

/** Makes a command of each step with its choices. A failing run prints the commands that ran. */
export function weighted<Raw, Args>(weight: number, step: Step<Raw, Args>): WeightedStep {
  return {
    weight,
    arbitrary: step.raw.map((raw) => createCommand(step, raw)),
    mustHappen: step.mustAnswer.map((answer) => `${step.name}: ${answer}`),
  };
}

function createCommand<Raw, Args>({ name, resolve, ...step }: Step<Raw, Args>, raw: Raw): StepCommand {
  let taken: Args | null = null;
  return {
    check: (money) => resolve(money, raw) !== null,
    run: async (money, books) => {
      const args = resolve(money, raw);
      if (args === null) {
        throw new Error(`The step "${name}" was taken where it is not possible.`);
      }
      taken = args;
      const expected = step.expect(money, args);
      books.seen.add(`${name}: ${expected}`);
      expect(await answerOf(step.act(books, args)), name).toBe(expected);
      expect(await readStanding(books), name).toEqual(standingOf(money));
    },
    toString: () => `${name} ${JSON.stringify(taken ?? raw)}`,
  };
}

async function answerOf(work: Promise<Answer | void>): Promise<Answer> {
  try {
    return (await work) ?? "done";
  } catch (error) {
    if (error instanceof Problem) {
      return error.code;
    }
    throw error;
  }
}

/** A random number for `choosePlace`. */
export const choice = fc.noBias(fc.nat({ max: 255 }));

/**
 * Chooses the place of a likely item. Every eighth time it chooses any item that fits, so that the step may be refused.
 * Null when there is none.
 */
export function choosePlace<Item>(
  items: readonly Item[],
  number: number,
  { isLikely = () => true, fits = () => true }: { isLikely?(item: Item): boolean; fits?(item: Item): boolean } = {},
): number | null {
  const places = items.flatMap((item, index) => (fits(item) ? [{ item, index }] : []));
  const chosen = number % 8 === 7 ? places : places.filter(({ item }) => isLikely(item));
  return chosen[(number >> 3) % Math.max(1, chosen.length)]?.index ?? null;
}
