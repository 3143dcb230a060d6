export type Tone = "good" | "bad" | "busy" | "wait" | "plain";

const toneOf: Readonly<Record<string, Tone>> = {
  active: "good",
  enabled: "good",
  delivered: "good",
  settled: "good",
  completed: "good",
  confirmed: "good",
  filled: "good",
  verified: "good",
  approved: "good",
  joined: "good",
  passed: "good",
  failed: "bad",
  rejected: "bad",
  orphaned: "bad",
  revoked: "plain",
  expired: "plain",
  closed: "plain",
  canceled: "plain",
  replaced: "plain",
  disabled: "plain",
  frozen: "wait",
  held: "wait",
  invited: "wait",
  unclear: "wait",
  review_required: "wait",
  requested: "wait",
  pending: "busy",
  initiated: "busy",
  broadcast: "busy",
  submitted: "busy",
  detected: "busy",
  accepted: "busy",
  open: "busy",
  partially_filled: "busy",
  waiting: "busy",
};

/** A state in words, with a colour beside it for who skims. A state that is newer than this page is plain. */
export function Badge({ state, tone = toneOf[state] ?? "plain" }: { state: string; tone?: Tone | undefined }) {
  return <span className={`badge ${tone}`}>{state.replaceAll("_", " ")}</span>;
}
