import type { Characters, PatternNode } from "./parse-pattern.ts";

/**
 * A position is one set of characters in the pattern. `follow` names the positions that may read the next
 * character.
 */
export type PositionAutomaton = { characters: Characters[]; follow: Set<number>[] };

/** The positions with which a part of the pattern can begin and end. */
type Part = { first: readonly number[]; last: readonly number[]; mayBeEmpty: boolean };

/**
 * Builds Glushkov's automaton, which reads a string in as many ways as a backtracking engine can try. Throws when that
 * would not hold: when one step is possible in two ways, or an empty string is read in two ways.
 */
export function createPositionAutomaton(pattern: PatternNode): PositionAutomaton {
  const automaton: PositionAutomaton = { characters: [], follow: [] };
  addPart(automaton, pattern);
  return automaton;
}

function addPart(automaton: PositionAutomaton, node: PatternNode): Part {
  switch (node.kind) {
    case "characters": {
      const position = automaton.characters.push(node.characters) - 1;
      automaton.follow.push(new Set());
      return { first: [position], last: [position], mayBeEmpty: false };
    }
    case "sequence":
      return node.parts
        .map((part) => addPart(automaton, part))
        .reduce((before, part) => join(automaton, before, part), nothing);
    case "choice":
      return eitherOf(node.branches.map((branch) => addPart(automaton, branch)));
    case "repeat":
      return addRepeat(automaton, node);
  }
}

const nothing: Part = { first: [], last: [], mayBeEmpty: true };

function join(automaton: PositionAutomaton, before: Part, after: Part): Part {
  connect(automaton, before.last, after.first);
  return {
    first: before.mayBeEmpty ? [...before.first, ...after.first] : before.first,
    last: after.mayBeEmpty ? [...before.last, ...after.last] : after.last,
    mayBeEmpty: before.mayBeEmpty && after.mayBeEmpty,
  };
}

function eitherOf(branches: readonly Part[]): Part {
  if (branches.filter(({ mayBeEmpty }) => mayBeEmpty).length > 1) {
    throw new Error("Two branches may be empty.");
  }
  return {
    first: branches.flatMap(({ first }) => first),
    last: branches.flatMap(({ last }) => last),
    mayBeEmpty: branches.some(({ mayBeEmpty }) => mayBeEmpty),
  };
}

/** Expands a repetition as an engine counts it: `a{1,3}` is `a(?:a(?:a)?)?`, and `a{2,}` is `aaa*`. */
function addRepeat(automaton: PositionAutomaton, node: PatternNode & { kind: "repeat" }): Part {
  const addBody = (): Part => {
    const part = addPart(automaton, node.body);
    if (part.mayBeEmpty) {
      throw new Error("A part that may be empty is repeated.");
    }
    return part;
  };
  let rest = nothing;
  if (node.most === Infinity) {
    const part = addBody();
    connect(automaton, part.last, part.first);
    rest = { ...part, mayBeEmpty: true };
  } else {
    for (let count = node.least; count < node.most; count += 1) {
      rest = { ...join(automaton, addBody(), rest), mayBeEmpty: true };
    }
  }
  for (let count = 0; count < node.least; count += 1) {
    rest = join(automaton, addBody(), rest);
  }
  return rest;
}

function connect({ follow }: PositionAutomaton, from: readonly number[], to: readonly number[]): void {
  for (const source of from) {
    for (const target of to) {
      if (follow[source]?.has(target)) {
        throw new Error("A repetition is repeated.");
      }
      follow[source]?.add(target);
    }
  }
}
