export type Tone = "good" | "bad" | "busy" | "wait" | "plain";

/** States that are newer than this page, and those that are over, are plain. */
const states: readonly (readonly [Tone, names: string])[] = [
  ["good", "active enabled delivered settled completed confirmed filled verified approved joined passed"],
  ["bad", "failed rejected orphaned"],
  ["wait", "frozen held invited unclear review_required requested"],
  ["busy", "pending initiated broadcast submitted detected accepted open partially_filled waiting"],
];
const tones = new Map(states.flatMap(([tone, names]) => names.split(" ").map((name) => [name, tone] as const)));

export function Badge({ state, tone = tones.get(state) ?? "plain" }: { state: string; tone?: Tone | undefined }) {
  return <span className={`badge ${tone}`}>{state.replaceAll("_", " ")}</span>;
}
