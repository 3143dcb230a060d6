/** `5 minutes`, `1 minute`, `90 seconds`: in minutes where that says the same. */
export function secondsInWords(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
