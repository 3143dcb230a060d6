import type { Tone } from "../../parts/shown/badge.tsx";

export function statusTone(status: number): Tone {
  return status >= 500 ? "bad" : status >= 400 ? "wait" : "good";
}
