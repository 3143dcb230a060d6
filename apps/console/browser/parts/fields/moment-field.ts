import type { Preferences } from "../../data/preferences.ts";

type Zone = Preferences["zone"];

/**
 * A moment of the address as a field for one wants it, in the zone that the person chose: `2026-11-23T13:05`. Empty
 * of what is none. Seconds are left out where there are none, as the browser does: React takes another text for a
 * change, and would put the old moment back over a new one.
 */
export function fieldOfMoment(at: string | undefined, zone: Zone): string {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) {
    return "";
  }
  const shiftMs = zone === "utc" ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - shiftMs).toISOString().slice(0, 19).replace(/:00$/, "");
}

/**
 * What was typed, as the address keeps it: in UTC, so that it is the same moment for everybody. Undefined of what is
 * none.
 */
export function momentOfField(value: string, zone: Zone): string | undefined {
  const date = new Date(zone === "utc" ? `${value}Z` : value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
