/**
 * The moment of a text that has the document's format `date-time`, which takes more than `Date` does: a leap second is the moment after
 * it, and an offset may be of hours alone.
 */
export function parseTimestamp(text: string): Date {
  const withMinutes = /[+-]\d\d$/.test(text) ? `${text}:00` : text;
  const isLeapSecond = text.slice(17, 19) === "60";
  return isLeapSecond
    ? new Date(Date.parse(`${withMinutes.slice(0, 17)}59${withMinutes.slice(19)}`) + 1_000)
    : new Date(withMinutes);
}
