/** Ranges of code points, both ends included. */
export type Characters = readonly (readonly [from: number, to: number])[];

export type PatternNode =
  | { kind: "characters"; characters: Characters }
  | { kind: "sequence"; parts: readonly PatternNode[] }
  | { kind: "choice"; branches: readonly PatternNode[] }
  | { kind: "repeat"; body: PatternNode; least: number; most: number };

type Reader = { text: string; at: number };

const lastCodePoint = 0x10_ffff;
const digits: Characters = [[0x30, 0x39]];

/**
 * Parses an anchored pattern. It knows the syntax that the document uses and throws for any other, so that no
 * pattern is judged by a wrong reading.
 */
export function parsePattern(pattern: string): PatternNode {
  const anchored = /^\^(.*)\$$/s.exec(pattern);
  if (!anchored) {
    throw new Error(`The pattern ${pattern} is not anchored at both ends.`);
  }
  const reader = { text: anchored[1] ?? "", at: 0 };
  const node = readChoice(reader);
  if (reader.at < reader.text.length) {
    throw new Error(`The pattern ${pattern} has an unexpected ${reader.text[reader.at]}.`);
  }
  return node;
}

function readChoice(reader: Reader): PatternNode {
  const branches = [readSequence(reader)];
  while (take(reader, /\|/y)) {
    branches.push(readSequence(reader));
  }
  const [only] = branches;
  return branches.length === 1 && only ? only : { kind: "choice", branches };
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = [];
  while (reader.at < reader.text.length && !/[|)]/.test(reader.text[reader.at] ?? "")) {
    parts.push(readRepeat(reader));
  }
  return { kind: "sequence", parts };
}

function readRepeat(reader: Reader): PatternNode {
  const body = readAtom(reader);
  const quantifier = take(reader, /[?*+]|\{(\d+)(,(\d*))?\}/y);
  if (!quantifier) {
    return body;
  }
  const [sign = "", least = "", comma, most] = quantifier;
  const counts = { "?": [0, 1], "*": [0, Infinity], "+": [1, Infinity] }[sign] ?? [
    Number(least),
    comma === undefined ? Number(least) : Number(most || Infinity),
  ];
  return { kind: "repeat", body, least: counts[0] ?? 0, most: counts[1] ?? Infinity };
}

function readAtom(reader: Reader): PatternNode {
  if (take(reader, /\((?:\?:)?(?!\?)/y)) {
    const node = readChoice(reader);
    if (!take(reader, /\)/y)) {
      throw new Error(`A group is not closed in ${reader.text}.`);
    }
    return node;
  }
  if (take(reader, /\[/y)) {
    return { kind: "characters", characters: readClass(reader) };
  }
  const literal = take(reader, /[^\\^$.*+?()[\]{}|]/uy);
  return { kind: "characters", characters: literal ? of(literal[0]) : readEscape(reader) };
}

function readClass(reader: Reader): Characters {
  const isNegated = take(reader, /\^/y) !== null;
  const found: (readonly [number, number])[] = [];
  while (!take(reader, /\]/y)) {
    const [first] = readClassMember(reader);
    const isRange = first !== undefined && take(reader, /-(?!\])/y) !== null;
    const [last] = isRange ? readClassMember(reader) : [first];
    if (!first || !last) {
      throw new Error(`A class is not closed in ${reader.text}.`);
    }
    found.push([first[0], last[1]]);
  }
  return isNegated ? without(found) : found;
}

function readClassMember(reader: Reader): Characters {
  const literal = take(reader, /[^\\\]]/uy);
  return literal ? of(literal[0]) : readEscape(reader);
}

function readEscape(reader: Reader): Characters {
  const escape = take(reader, /\\(?:(d)|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^\w\s]))/y);
  if (!escape) {
    throw new Error(`The pattern ${reader.text} has syntax at ${reader.at} that is not known here.`);
  }
  const [, digit, unit, byte, literal = ""] = escape;
  const code = unit ?? byte;
  return digit ? digits : code === undefined ? of(literal) : [[parseInt(code, 16), parseInt(code, 16)]];
}

function of(character: string): Characters {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}

function without(taken: Characters): Characters {
  const free: (readonly [number, number])[] = [];
  let from = 0;
  for (const [first, last] of taken.toSorted(([a], [b]) => a - b)) {
    if (first > from) {
      free.push([from, first - 1]);
    }
    from = Math.max(from, last + 1);
  }
  return from > lastCodePoint ? free : [...free, [from, lastCodePoint]];
}

/** Moves behind what stands next, if it fits the sticky expression. */
function take(reader: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.text);
  reader.at += found?.[0].length ?? 0;
  return found;
}
