/**
 * Parses a string of the document's format `date-time`, which allows more than `Date` does. A leap second is the moment
 * after it, and an offset may consist of hours alone.
 */
export function parseTimestamp(text: string): Date {
  const withMinutes = /[+-]\d\d$/.test(text) ? `${text}:00` : text;
  const isLeapSecond = text.slice(17, 19) === "60";
  return isLeapSecond
    ? new Date(Date.parse(`${withMinutes.slice(0, 17)}59${withMinutes.slice(19)}`) + 1_000)
    : new Date(withMinutes);
}

const endOfYears = Date.UTC(10_000, 0);

/** The issue of a time that is not in the future, or that four digits cannot express in UTC. */
export const futureTimeIssue = "must be a time in the future, before the year 10000 (UTC)";

/** The document's format `date-time` accepts an offset with which the year 9999 ends in the year 10000. */
export function isFutureTime(time: Date, nowMs: number): boolean {
  return time.getTime() > nowMs && time.getTime() < endOfYears;
}
