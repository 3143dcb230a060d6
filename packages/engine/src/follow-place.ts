import { invalidField } from "@gateway/contract";
import { startOfIds, type CursorCodec } from "@gateway/kernel";

export type PlaceOptions = {
  accountId: string;
  cursors: CursorCodec;
  list: string;
  nowMs: number;
};

/** The last settled id at first, then the last number. `allAtMs`: when the follower last had every visible row. */
export type FollowPlace = { by: "id"; id: string; atMs: number } | NumberPlace;

export type NumberPlace = {
  by: "number";
  epoch: number;
  /** A decimal number. */
  number: string;
  fromId: string;
  atMs: number;
  allAtMs: number;
};

/** Longer than clocks differ. The age of the oldest transaction in flight is added to it. */
export const marginMs = 10 * 60_000;

export function encodePlace({ accountId, cursors, list }: PlaceOptions, place: FollowPlace): string {
  const fields =
    place.by === "id"
      ? ["id", place.id, place.atMs]
      : [place.epoch, place.number, place.atMs, place.fromId, place.allAtMs];
  return cursors.encode(`${list} ${accountId}`, fields.join(" "));
}

/** Refuses a place that this list did not give out, and one so old that rows behind it are gone. */
export function decodePlace(
  { accountId, cursors, list, nowMs }: PlaceOptions,
  after: string | undefined,
  { lifetimeMs, prefix }: { lifetimeMs: number; prefix: string },
): FollowPlace {
  const oldest = startOfIds(prefix, nowMs - lifetimeMs);
  if (after === undefined) {
    return { by: "id", id: oldest, atMs: nowMs };
  }
  const position = cursors.decode(`${list} ${accountId}`, after);
  if (position === null) {
    throw invalidField("after", "is not a place in this list; send the meta.after of an earlier response unchanged");
  }
  const place = parsePlace(position);
  if (place.atMs < nowMs - lifetimeMs) {
    const days = Math.round(lifetimeMs / 86_400_000);
    throw invalidField(
      "after",
      `is more than ${days} days old, and some entries after it are no longer kept; leave it out to begin with the oldest entry`,
    );
  }
  return place;
}

function parsePlace(position: string): FollowPlace {
  const fields = position.split(" ");
  if (fields[0] === "id") {
    const [, id = "", atMs = ""] = fields;
    return { by: "id", id, atMs: Number(atMs) };
  }
  const [epoch = "", number = "", atMs = "", fromId = "", allAtMs = ""] = fields;
  return { by: "number", epoch: Number(epoch), number, fromId, atMs: Number(atMs), allAtMs: Number(allAtMs) };
}

/** Lower bound for the ids of rows that a follower at this place has not received. */
export function oldestUntold({ allAtMs }: NumberPlace, prefix: string): string {
  return startOfIds(prefix, allAtMs - marginMs);
}
