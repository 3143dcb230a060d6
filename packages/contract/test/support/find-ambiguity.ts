import { parsePattern, type Characters } from "./parse-pattern.ts";
import { createPositionAutomaton, type PositionAutomaton } from "./position-automaton.ts";

/**
 * Says why the work for an anchored pattern may grow faster than its input, or returns null. Null is a proof: the
 * number of ways to read any prefix of any input has a bound. So a backtracking engine does a bounded amount of work
 * for each character.
 *
 * The number has no bound exactly if two positions p and q are connected by one string. The string leads from p to p,
 * from p to q, and from q to q. (Weber and Seidl, "On the degree of ambiguity of finite automata", 1991.) Within one
 * loop, that is the same as two ways around it.
 */
export function findAmbiguity(pattern: string): string | null {
  const node = parsePattern(pattern);
  let automaton: PositionAutomaton;
  try {
    automaton = createPositionAutomaton(node);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const loops = findLoops(automaton);
  if (loops.some((loop) => hasTwoWays(automaton, loop))) {
    return "A loop reads one text in two ways.";
  }
  const pairs = loops.flatMap((one) => loops.filter((other) => other !== one).map((other) => [one, other] as const));
  return pairs.some(([one, other]) => isShared(automaton, one, other)) ? "Two loops read the same text." : null;
}

type Loop = ReadonlySet<number>;

/** Groups the positions that lead to one another. */
function findLoops({ follow }: PositionAutomaton): Loop[] {
  const reached = follow.map((_, start) => closure([start], (position) => [...(follow[position] ?? [])]));
  const loops = new Map<string, Loop>();
  for (const [start, ends] of reached.entries()) {
    const loop = [...ends].filter((end) => reached[end]?.has(start));
    if (loop.length > 0) {
      loops.set(loop.toSorted((a, b) => a - b).join(), new Set(loop));
    }
  }
  return [...loops.values()];
}

/** Whether two readers of the same string can separate in the loop, and meet again. */
function hasTwoWays(automaton: PositionAutomaton, loop: Loop): boolean {
  const step = stepsOf(automaton, [loop, loop]);
  const apart = closure(
    [...loop].map((position) => [position, position].join()),
    step,
  ).values();
  return [...apart].some((pair) => !isTogether(pair) && step(pair).some(isTogether));
}

function isTogether(pair: string): boolean {
  const [one, other] = pair.split(",");
  return one === other;
}

/** Whether one string leads around the first loop, from there to the second, and around that. */
function isShared(automaton: PositionAutomaton, one: Loop, other: Loop): boolean {
  const anywhere = new Set(automaton.follow.keys());
  const step = stepsOf(automaton, [one, anywhere, other]);
  return [...one].some((p) => [...other].some((q) => closure([[p, p, q].join()], step).has([p, q, q].join())));
}

/** The next places of readers who read the same string, each in its own part of the automaton. */
function stepsOf({ characters, follow }: PositionAutomaton, parts: readonly Loop[]): (places: string) => string[] {
  return (places) => {
    const options = places
      .split(",")
      .map((place, reader) => [...(follow[Number(place)] ?? [])].filter((next) => parts[reader]?.has(next)));
    return product(options)
      .filter((next) => haveOneInCommon(next.map((position) => characters[position] ?? [])))
      .map((next) => next.join());
  };
}

function product(options: readonly (readonly number[])[]): number[][] {
  return options.reduce<number[][]>(
    (before, choices) => before.flatMap((chosen) => choices.map((choice) => [...chosen, choice])),
    [[]],
  );
}

function haveOneInCommon(sets: readonly Characters[]): boolean {
  const common = sets.reduce((one, other) =>
    one.flatMap(([from, to]) =>
      other
        .map(([first, last]) => [Math.max(from, first), Math.min(to, last)] as const)
        .filter(([first, last]) => first <= last),
    ),
  );
  return common.length > 0;
}

/** Every place that is reached from the starts in one step or more. */
function closure<Place>(starts: readonly Place[], step: (place: Place) => readonly Place[]): Set<Place> {
  const found = new Set<Place>();
  const waiting = [...starts];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const next of step(place)) {
      if (!found.has(next)) {
        found.add(next);
        waiting.push(next);
      }
    }
  }
  return found;
}
