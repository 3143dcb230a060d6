import { randomFillSync } from "node:crypto";
import { typeid } from "typeid-js";
import { systemClock, type Clock } from "./clock.ts";

/**
 * A new TypeID: prefix, underscore, UUIDv7 in 26 characters of Crockford base32 (the TypeID specification, 0.3). For
 * tests and tools: it has this machine's time. Ids sort by the time they were made, so "newest first" is an index scan
 * backwards.
 */
export function createTypeId(prefix: string): string {
  return typeid(prefix).toString();
}

/** The first number of a millisecond is at most half of the last one, so that many ids may follow. */
const maxFirstNumber = 0x7ff;
const lastNumber = 0xfff;
/** A clock that is set back by no more than this does not change the order of ids. */
const maxAheadMs = 1_000;

/**
 * Makes TypeIDs with the time of the clock, in a fifth of the library's time, because the library parses its own
 * result. The ids of one maker sort by the order of their creation, even within a millisecond: 12 bits after the time
 * count (RFC 9562, 6.2, method 1). Randomness is drawn for 256 ids at a time.
 */
export function createTypeIds(clock: Clock): (prefix: string) => string {
  const next20Bits = createRandomBits();
  let timeMs = -Infinity;
  let number = 0;
  const moveOn = (toMs: number): void => {
    timeMs = toMs;
    number = next20Bits() & maxFirstNumber;
  };
  return (prefix) => {
    const nowMs = Math.floor(clock.now());
    if (nowMs > timeMs || nowMs < timeMs - maxAheadMs) {
      moveOn(nowMs);
    } else if (number === lastNumber) {
      moveOn(timeMs + 1);
    } else {
      number += 1;
    }
    // The version 7 precedes the number, and the variant follows it (RFC 9562, 5.7).
    const versioned = base32(0x70008 | (number << 4) | (next20Bits() & 0x3));
    return `${startOfIds(prefix, timeMs)}${versioned}${base32(next20Bits())}${base32(next20Bits())}${base32(next20Bits())}`;
  };
}

/**
 * The common prefix of all ids of this time: it sorts before them, and after those of the millisecond before. The 48
 * bits of a UUIDv7's time are exactly the first ten digits.
 */
export function startOfIds(prefix: string, timeMs: number): string {
  const time = Math.max(0, timeMs);
  return `${prefix}_${base32(time / 2 ** 40).slice(2)}${base32(time / 2 ** 20)}${base32(time)}`;
}

/** The time of an id, or of the start of ids. */
export function timeOfId(id: string): number {
  const start = id.indexOf("_") + 1;
  let timeMs = 0;
  for (let at = start; at < start + 10 && at < id.length; at += 1) {
    timeMs = timeMs * 32 + (values[id.charCodeAt(at)] ?? -1);
  }
  return timeMs;
}

/** For requests. Ids of recorded requests need the database's time; the default is this machine's. */
export function createRequestIds(clock: Clock = systemClock): () => string {
  const createId = createTypeIds(clock);
  return () => createId("req");
}

function createRandomBits(): () => number {
  const random = new Uint32Array(4 * 256);
  let used = random.length;
  return () => {
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    used += 1;
    return (random[used - 1] ?? 0) & 0xfffff;
  };
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** Values by character code, because each logged request needs them. */
const values = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

/** The lowest 20 bits of the whole part of a number, as four digits. */
function base32(value: number): string {
  const bits = Math.floor(value) % 2 ** 20;
  return `${alphabet[bits >> 15]}${alphabet[(bits >> 10) & 31]}${alphabet[(bits >> 5) & 31]}${alphabet[bits & 31]}`;
}

/** The pattern of ids with this prefix; the first character is at most 7 because 26 x 5 bits exceed 128. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
}
