import type { Preferences } from "../../data/preferences.ts";

type Zone = Preferences["zone"];

/**
 * A moment of the address as its input takes it, in the zone of the person: `2026-11-23T13:05`; empty for none. Seconds
 * of zero are left out, as the browser does: React takes another text for a change and puts the old moment back.
 */
export function fieldOfMoment(at: string | undefined, zone: Zone): string {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) {
    return "";
  }
  const shiftMs = zone === "utc" ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - shiftMs).toISOString().slice(0, 19).replace(/:00$/, "");
}

/** The moment as the address keeps it, in UTC. Undefined for none. */
export function momentOfField(value: string, zone: Zone): string | undefined {
  const date = new Date(zone === "utc" ? `${value}Z` : value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
