import { randomFillSync } from "node:crypto";
import { typeid } from "typeid-js";

/**
 * A new TypeID: prefix, underscore, UUIDv7 in 26 characters of Crockford base32 (the TypeID specification, 0.3).
 * Ids sort by the time they were made, so "newest first" is an index scan backwards.
 */
export function createTypeId(prefix: string): string {
  return typeid(prefix).toString();
}

/**
 * Makes TypeIDs for requests. Each request needs one, and `createTypeId` costs a tenth of the whole pipeline: its library reads back what it
 * wrote, and keeps the ids of one millisecond in order, which nobody asks of requests. Here randomness is drawn for 256 at a time.
 */
export function createRequestIds(): () => string {
  const random = new Uint32Array(4 * 256);
  let used = random.length;
  const next20Bits = (): number => {
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    used += 1;
    return (random[used - 1] ?? 0) & 0xfffff;
  };
  return () => {
    const nowMs = Date.now();
    const time = base32(nowMs / 2 ** 40).slice(2) + base32(nowMs / 2 ** 20) + base32(nowMs);
    // Version 7 and the variant stand in the first 20 of the 80 bits behind the time (RFC 9562, 5.7).
    const versioned = base32(0x70008 | (next20Bits() & 0x0fff3));
    return `req_${time}${versioned}${base32(next20Bits())}${base32(next20Bits())}${base32(next20Bits())}`;
  };
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** The lowest 20 bits of the whole part of a number, as four digits. */
function base32(value: number): string {
  const bits = Math.floor(value) % 2 ** 20;
  return `${alphabet[bits >> 15]}${alphabet[(bits >> 10) & 31]}${alphabet[(bits >> 5) & 31]}${alphabet[bits & 31]}`;
}

/** The pattern of ids with this prefix; the first character is at most 7 because 26 x 5 bits exceed 128. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
}
