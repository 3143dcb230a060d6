import { catchUpKind } from "@gateway/engine/work";
import fc from "fast-check";
import type { Books } from "../books.ts";
import { advanceClock } from "../model/clock.ts";
import { weighted, type Step, type WeightedStep } from "../step.ts";

const minute = 60;
const day = 24 * 60 * minute;

/**
 * Times on both sides of each wait. The waits are 5 s to the rail, 10 s on it, 144 s of blocks, and an hour until a
 * return.
 */
const usual = fc.constantFrom(1, 4, 5, 6, 10, 15, 143, 144, 145, 60 * minute);
/** An approval expires after a day. Rare, because each day asks the venue about every open order. */
const longer = fc.constantFrom(day - 1, day);
/** A payment is taken back after a week when its rail does not respond. */
const longest = fc.constant(7 * day + minute);

type Advance = { seconds: number };

const advance: Step<Advance, Advance> = {
  name: "advance the clock",
  mustAnswer: ["done"],
  raw: fc.record({
    seconds: fc.oneof(
      { weight: 40, arbitrary: usual },
      { weight: 4, arbitrary: longer },
      { weight: 1, arbitrary: longest },
    ),
  }),
  resolve: (_money, raw) => raw,
  expect: advanceClock,
  act: async (books, { seconds }) => {
    const { platform, accountId } = books;
    const { remaining } = await platform.inAccount(
      accountId,
      ({ gateway }) => gateway.sandboxClocks.advance({ accountId, seconds }),
      { isAlone: true },
    );
    if (remaining > 0) {
      await catchUp(books);
    }
  },
};

/** The most attempts in a row that run nothing. A very slow machine can cause some. */
const mostIdle = 20;

/**
 * On a slow machine an advance leaves due work to the worker. Runs it as the worker does, and ends the worker's
 * item.
 */
async function catchUp({ platform, database, accountId }: Books): Promise<void> {
  let idle = 0;
  for (let left = 1; left > 0;) {
    const { transitions, remaining } = await platform.inAccount(
      accountId,
      ({ gateway }) => gateway.sandboxClocks.catchUp(accountId),
      { isAlone: true },
    );
    left = remaining;
    idle = transitions > 0 ? 0 : idle + 1;
    if (idle > mostIdle) {
      throw new Error(`The advance left ${left} work items that fail whenever they are tried.`);
    }
  }
  await database.kysely
    .deleteFrom("work_items")
    .where("account_id", "=", accountId)
    .where("kind", "=", catchUpKind)
    .execute();
}

export const clockSteps: WeightedStep[] = [weighted(13, advance)];
