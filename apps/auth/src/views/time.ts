import { html, type Html } from "./html.ts";

const dayMs = 86_400_000;

/** The day in UTC, without words such as "today", because a page does not know its reader's time zone. */
export function renderDay(date: Date): Html {
  const text = date.toLocaleDateString("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });
  return html`<time datetime="${date.toISOString()}">${text}</time>`;
}

export function renderSince(date: Date, nowMs: number): Html {
  const agoMs = Math.max(0, nowMs - date.getTime());
  return html`<time datetime="${date.toISOString()}">${sinceInWords(agoMs)}</time>`;
}

function sinceInWords(agoMs: number): string {
  const [count, unit] =
    agoMs < 3_600_000
      ? ([Math.floor(agoMs / 60_000), "minute"] as const)
      : agoMs < dayMs
        ? ([Math.floor(agoMs / 3_600_000), "hour"] as const)
        : ([Math.floor(agoMs / dayMs), "day"] as const);
  if (count === 0) {
    return "just now";
  }
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
