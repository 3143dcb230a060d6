/** Keeps the `max` keys that were set last: a Map lists them in that order. */
export function dropOldest(values: Map<string, unknown>, max: number): void {
  const [oldest] = values.keys();
  if (values.size > max && oldest !== undefined) {
    values.delete(oldest);
  }
}
