import { usePreferences, type Preferences } from "../../data/preferences.ts";

const dayMs = 86_400_000;

/** A moment, in the zone that the person chose; whoever points at it sees the other one and how long ago it is. */
export function Time({ at, seconds = false }: { at: string | null; seconds?: boolean }) {
  const { zone } = usePreferences();
  if (at === null) {
    return <span className="faint">–</span>;
  }
  const date = new Date(at);
  const other = zone === "utc" ? "local" : "utc";
  return (
    <time dateTime={at} title={`${formatTime(date, other, true)} ${other === "utc" ? "UTC" : "here"}, ${ago(date)}`}>
      {formatTime(date, zone, seconds)}
    </time>
  );
}

/** `Nov 23, 07:16`, with the year where it is another one. */
export function formatTime(date: Date, zone: Preferences["zone"], seconds: boolean): string {
  const isOfThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return formatOf(zone, { seconds, year: !isOfThisYear }).format(date);
}

/** Making one takes a hundred times as long as using it, and a list that is scrolled has three in each row. */
const formats = new Map<string, Intl.DateTimeFormat>();
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function formatOf(zone: Preferences["zone"], shown: { seconds: boolean; year: boolean }): Intl.DateTimeFormat {
  const key = `${zone} ${shown.seconds} ${shown.year}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat("en-GB", {
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(shown.seconds && { second: "2-digit" as const }),
      ...(shown.year && { year: "numeric" as const }),
      ...(zone === "utc" && { timeZone: "UTC" }),
    });
  formats.set(key, format);
  return format;
}

export function ago(date: Date, nowMs: number = Date.now()): string {
  const differenceMs = date.getTime() - nowMs;
  const units = [
    ["day", dayMs],
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1000],
  ] as const;
  const [unit, size] = units.find(([, unitMs]) => Math.abs(differenceMs) >= unitMs) ?? (["second", 1000] as const);
  return relative.format(Math.trunc(differenceMs / size), unit);
}

type AgoOptions = {
  at: string | null;
  never?: string;
  /** How far the clock that `at` is of goes before this machine's: an account's in the sandbox. */
  aheadMs?: number;
};

/** For what matters by its age: `3 minutes ago`, with the moment behind it. */
export function Ago({ at, never = "never", aheadMs = 0 }: AgoOptions) {
  const { zone } = usePreferences();
  if (at === null) {
    return <span className="faint">{never}</span>;
  }
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${formatTime(date, zone, true)}${zone === "utc" ? " UTC" : ""}`}>
      {ago(date, Date.now() + aheadMs)}
    </time>
  );
}
