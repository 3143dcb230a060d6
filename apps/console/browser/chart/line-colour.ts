/** Colours of the stylesheet: eight that can be told apart in both schemes, and three with a meaning. */
export function lineColour(key: string, place: number): string {
  return /^(?:errors|good|others)$/.test(key) ? key : String(place % 8);
}
