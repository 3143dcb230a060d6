import { expect, test } from "vitest";
import { createEndOfTurn } from "../src/end-of-turn.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what comes in one turn is done at its end, in its order, behind all that is promised before", async () => {
  const atEndOfTurn = createEndOfTurn();
  const done: string[] = [];
  atEndOfTurn(() => done.push("first"));
  await Promise.resolve();
  atEndOfTurn(() => done.push("second"));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(["first", "second"]);
});

test("work that work puts off is done in the next turn, and is not lost", async () => {
  const atEndOfTurn = createEndOfTurn();
  const done: string[] = [];
  atEndOfTurn(() => {
    done.push("outer");
    atEndOfTurn(() => done.push("inner"));
  });
  await turn();
  expect(done).toEqual(["outer"]);
  await turn();
  expect(done).toEqual(["outer", "inner"]);
});

test("no more than the most wait: the last of them does all at once, and each is done once", async () => {
  const atEndOfTurn = createEndOfTurn({ most: 3 });
  const done: number[] = [];
  [1, 2].forEach((number) => atEndOfTurn(() => done.push(number)));
  expect(done).toEqual([]);
  atEndOfTurn(() => done.push(3));
  expect(done).toEqual([1, 2, 3]);
  [4, 5].forEach((number) => atEndOfTurn(() => done.push(number)));
  expect(done).toEqual([1, 2, 3]);
  await turn();
  await turn();
  expect(done).toEqual([1, 2, 3, 4, 5]);
});
