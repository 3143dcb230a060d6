import { usePreferences, type Preferences } from "../../data/preferences.ts";

const dayMs = 86_400_000;

/** A moment in the zone that the person chose. The tooltip has the other zone, and how long ago it was. */
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

/** `Nov 23, 07:16`, with the year unless it is the current one. */
export function formatTime(date: Date, zone: Preferences["zone"], seconds: boolean): string {
  const isOfThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return formatOf(zone, { seconds, year: !isOfThisYear }).format(date);
}

/** Creating a format takes a hundred times as long as using it, and a scrolled list uses three in each row. */
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
  /** How far the clock of `at` is ahead of this machine's: an account's in the sandbox. */
  aheadMs?: number;
};

/** For a moment whose age matters: `3 minutes ago`, with the moment as its tooltip. */
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
