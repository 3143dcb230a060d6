/**
 * A sine that moves a price, rounded to billionths, so that everything computed from it is exact. Only this file uses
 * floating-point division.
 */
export type Wave = { periodSeconds: number; phase: number; heightPpb: number };

/** The sum of the waves at a second of any past and future, a whole number of billionths. */
export function swingAt(waves: readonly Wave[], second: number): number {
  let sum = 0;
  for (const { periodSeconds, phase, heightPpb } of waves) {
    sum += heightPpb * Math.sin((2 * Math.PI * ((second + phase) % periodSeconds)) / periodSeconds);
  }
  return Math.round(sum);
}

/** The index of the time span of a given length that contains a time. Spans before 1970 count down from -1. */
export function spanOf(time: number, length: number): number {
  return Math.floor(time / length);
}

/** An integer of 0 to 2^32 - 1: the same for the same input, and uniformly distributed. */
export function scramble(seed: number, index: number): number {
  let bits = Math.imul(seed ^ index, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x27d4eb2f);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
