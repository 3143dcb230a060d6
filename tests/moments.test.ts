import { expect, test } from "vitest";
import { moments, shiftSecondsOf } from "../scripts/test-moments/moments.ts";

const timesAt = (now: string): Record<string, string> =>
  Object.fromEntries(moments.map(({ name, atMs }) => [name, new Date(atMs(Date.parse(now))).toISOString()]));

test("the moments lie before what may go wrong, whenever it is now", () => {
  expect(timesAt("2026-11-27T09:00:00Z")).toEqual({
    evening: "2026-11-27T22:50:00.000Z",
    "leap-day": "2028-02-29T12:00:00.000Z",
    "new-year": "2026-12-31T23:58:00.000Z",
    "summer-time": "2027-03-28T00:58:00.000Z",
    "winter-time": "2026-10-25T00:58:00.000Z",
  });
  expect(timesAt("2026-12-31T23:00:00Z")).toMatchObject({ evening: "2027-01-01T22:50:00.000Z" });
});

test("the changes of daylight saving are those of the time zone", () => {
  const localHour = (atMs: number): number => Number(format.format(atMs));
  const format = new Intl.DateTimeFormat("en", { timeZone: "Europe/Berlin", hour: "numeric", hourCycle: "h23" });
  const hours = (name: string): number[] => {
    const atMs = moments.find((moment) => moment.name === name)?.atMs(0) ?? Number.NaN;
    return [localHour(atMs), localHour(atMs + 2 * 60_000)];
  };
  expect(hours("summer-time")).toEqual([1, 3]);
  expect(hours("winter-time")).toEqual([2, 2]);
});

test("a moment to come and one that has passed are shifts in seconds", () => {
  const nowMs = Date.UTC(2026, 10, 27);
  const shifts = [1_500_400, -90_000].map((ms) => shiftSecondsOf({ name: "one", atMs: () => nowMs + ms }, nowMs));
  expect(shifts).toEqual([1_500, -90]);
});
