import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isDateTime } from "../src/validation/date-time-format.ts";

// The previous check, which still checks times in other spellings than ours.
const { validate: isDateTimeByLibrary } = addFormats.default.get("date-time", "full") as {
  validate(text: string): boolean;
};

const two = (number: number): string => String(number).padStart(2, "0");

test("each month's days, the 29th of February in leap years alone", () => {
  const judged: string[] = [];
  for (const year of ["1900", "2000", "2023", "2024"]) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const text = `${year}-${two(month)}-${two(day)}T00:00:00.000Z`;
        const isDay = new Date(text).getTime() === Date.UTC(Number(year), month - 1, day) && month >= 1 && day >= 1;
        const isThatDay = isDay && new Date(text).toISOString() === text;
        expect(isDateTime(text), text).toBe(isThatDay);
        judged.push(text);
      }
    }
  }
  expect(judged.filter(isDateTime)).toHaveLength(365 * 4 + 2);
});

test("hours, minutes and seconds on both sides of their bounds", () => {
  const at = (time: string): boolean => isDateTime(`2026-03-09T${time}Z`);
  expect(["00:00:00.000", "23:59:59.999", "19:59:00.000", "20:00:00.000", "23:59:60.000"].filter(at)).toHaveLength(5);
  expect(["24:00:00.000", "29:00:00.000", "23:60:00.000", "22:59:60.000", "23:59:61.000"].filter(at)).toEqual([]);
});

test("one character changed, left out or added: the same as the library says", () => {
  const moments = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  const pieces = fc.oneof(
    fc.constantFrom(...["0", "1", "2", "3", "5", "6", "9"], ...["-", ":", ".", "T", "t", "Z", "z", "+", " ", "\n", ""]),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(moments, fc.nat(24), pieces, fc.nat(2), (moment, at, piece, taken) => {
      const text = moment.toISOString();
      expect(isDateTime(text)).toBe(true);
      const changed = text.slice(0, at) + piece + text.slice(at + taken);
      expect(isDateTime(changed), JSON.stringify(changed)).toBe(isDateTimeByLibrary(changed));
    }),
    { numRuns: 1_000 },
  );
});
