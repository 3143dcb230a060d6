/**
 * The moment of a text that has the document's format `date-time`, which takes more than `Date` does: a leap second is
 * the moment after it, and an offset may be of hours alone.
 */
export function parseTimestamp(text: string): Date {
  const withMinutes = /[+-]\d\d$/.test(text) ? `${text}:00` : text;
  const isLeapSecond = text.slice(17, 19) === "60";
  return isLeapSecond
    ? new Date(Date.parse(`${withMinutes.slice(0, 17)}59${withMinutes.slice(19)}`) + 1_000)
    : new Date(withMinutes);
}

const endOfYears = Date.UTC(10_000, 0);

/** What the issue of a time says that is not to come, or that no four digits can say in UTC. */
export const futureTimeIssue = "must be a time in the future, before the year 10000 (UTC)";

/** The document's format `date-time` takes an offset with which the year 9999 ends in the year 10000. */
export function isFutureTime(time: Date, nowMs: number): boolean {
  return time.getTime() > nowMs && time.getTime() < endOfYears;
}
