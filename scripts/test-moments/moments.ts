export type Moment = {
  name: string;
  /** Milliseconds since 1970, given when it is now. */
  atMs(nowMs: number): number;
  /** The time zone of the machine; its own unless given. */
  timeZone?: string;
};

/** Moments at which programs that calculate with dates fail; most begin two minutes before. */
export const moments: readonly Moment[] = [
  // Tests that look an hour ahead reach the next day, which had once made a suite fail.
  { name: "evening", atMs: (nowMs) => nextTimeOfDay(nowMs, 22 * 60 + 50) },
  { name: "leap-day", atMs: () => Date.UTC(2028, 1, 29, 12) },
  { name: "new-year", atMs: (nowMs) => Date.UTC(new Date(nowMs).getUTCFullYear(), 11, 31, 23, 58) },
  { name: "summer-time", atMs: () => Date.UTC(2027, 2, 28, 0, 58), timeZone: "Europe/Berlin" },
  { name: "winter-time", atMs: () => Date.UTC(2026, 9, 25, 0, 58), timeZone: "Europe/Berlin" },
];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function nextTimeOfDay(nowMs: number, minutes: number): number {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs + minutes * minuteMs;
  return todayMs > nowMs ? todayMs : todayMs + dayMs;
}

/** How far the clock must be moved for it to be that moment; negative when it has passed. */
export function shiftSecondsOf({ atMs }: Moment, nowMs: number): number {
  return Math.round((atMs(nowMs) - nowMs) / 1_000);
}
