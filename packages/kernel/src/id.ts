import { typeid } from "typeid-js";

/** What each prefix names. The document's id patterns use the same prefixes. */
export type IdPrefix = "acc" | "key" | "req" | "wal";

/**
 * A new TypeID: prefix, underscore, UUIDv7 in 26 characters of Crockford base32 (the TypeID specification, 0.3).
 * Ids sort by the time they were made, so "newest first" is an index scan backwards.
 */
export function createId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** The pattern of ids with this prefix; the first character is at most 7 because 26 x 5 bits exceed 128. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
}
