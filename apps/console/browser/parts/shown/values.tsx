import type { Currency } from "gateway-api-client";
import { decimalOf } from "../../data/amount.ts";
import { usePreferences, type Preferences } from "../../data/preferences.ts";
import { useSecond } from "../page/use-second.ts";
import { useEffect, useState, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { Destination } from "../page/destination.ts";
import { ScreenLink } from "../page/address.tsx";
import type { ItemOf } from "../../data/calls.ts";

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

/** An amount in minor units, exact: digits are moved, never divided. */
export function Money({ amount, currency }: { amount: number; currency: Currency }) {
  return (
    <span className="number">
      {amountText(amount, currency)} <span className="currency">{currency}</span>
    </span>
  );
}

/** The digits alone, grouped and pointed: `1,204.50`. */
export function amountText(amount: number, currency: Currency): string {
  return grouped(decimalOf(amount, currency));
}

/** Decimal text with its thousands apart and every digit that it has, the same in every browser. */
export function grouped(decimal: string): string {
  return decimal.replace(/\d+/, (whole) => BigInt(whole).toLocaleString("en"));
}

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
  /** How far the clock of `at` is ahead of this machine's: an account's in the sandbox. */
  aheadMs?: number;
};

/** For a moment whose age matters: `3 minutes ago`, with the moment as its tooltip. */
export function Ago({ at, aheadMs = 0 }: AgoOptions) {
  const { zone } = usePreferences();
  if (at === null) {
    return <span className="faint">never</span>;
  }
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${formatTime(date, zone, true)}${zone === "utc" ? " UTC" : ""}`}>
      {ago(date, Date.now() + aheadMs)}
    </time>
  );
}

/** How long until a moment, as `1 d 02:59:41`, while it is looked at; nothing from then on. */
export function Countdown({ until }: { until: string }) {
  const leftMs = Date.parse(until) - useSecond();
  return leftMs <= 0 ? null : (
    <span className="countdown" role="timer">
      {leftOf(leftMs)} left
    </span>
  );
}

function leftOf(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  const days = Math.floor(seconds / 86_400);
  const [hours, minutes, rest] = [seconds / 3600, seconds / 60, seconds].map((value, index) =>
    String(Math.floor(value) % (index === 0 ? 24 : 60)).padStart(2, "0"),
  );
  return `${days > 0 ? `${days} d ` : ""}${hours}:${minutes}:${rest}`;
}

/** Copies `text`, and shows for two seconds that it did, or that the browser refused. */
export function CopyButton({ text, quiet = true }: { text: string; quiet?: boolean }) {
  const [said, copy] = useCopy(text);
  return (
    <button type="button" className={quiet ? "button small quiet" : "button small"} onClick={copy}>
      <Icon name={said === "Copied" ? "check" : "copy"} size={14} />
      <span aria-live="polite">{said ?? "Copy"}</span>
    </button>
  );
}

function useCopy(text: string): [said: "Copied" | "Not allowed here" | null, copy: () => void] {
  const [said, setSaid] = useState<"Copied" | "Not allowed here" | null>(null);
  useEffect(() => {
    const timer = said === null ? undefined : setTimeout(() => setSaid(null), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed here"),
    );
  };
  return [said, copy];
}

export function CopyableId({ id }: { id: string }) {
  return (
    <span className="copyable-id">
      <code>{id}</code>
      <CopyIdButton id={id} />
    </span>
  );
}

export function CopyIdButton({ id }: { id: string }) {
  const [said, copy] = useCopy(id);
  return (
    <button type="button" className="icon-button tiny" aria-label={said ?? `Copy ${id}`} onClick={copy}>
      <Icon name={said === "Copied" ? "check" : "copy"} size={13} />
    </button>
  );
}

export function IdLink({ text, ...destination }: Destination & { open: string; text?: ReactNode }) {
  return (
    <ScreenLink {...destination} className="id-link">
      {text || <code>{destination.open}</code>}
    </ScreenLink>
  );
}

type Delivery = Pick<ItemOf<"listDeliveries">, "status" | "lastAttempt">;

/** The state of a delivery. One that was refused has another colour than one that was not tried yet. */
export function DeliveryState({ of: { status, lastAttempt } }: { of: Delivery }) {
  const isRefused = lastAttempt !== null && lastAttempt.outcome !== "delivered";
  return <Badge state={status} tone={status === "pending" && isRefused ? "wait" : undefined} />;
}

export function LastAttempt({ of: { lastAttempt } }: { of: Delivery }) {
  if (lastAttempt === null) {
    return null;
  }
  const { outcome, httpStatus } = lastAttempt;
  return (
    <span className={outcome === "delivered" ? "number" : "number refused"}>
      {httpStatus ?? outcome.replaceAll("_", " ")}
    </span>
  );
}

type Fact = readonly [name: string, value: ReactNode];

/** Names and what they are, in two columns. Null leaves a line out, and so does a time that is null. */
export function Facts({ rows }: { rows: readonly (Fact | null | "" | false)[] }) {
  return (
    <dl className="facts">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1] ?? <span className="faint">–</span>}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Figure = readonly [name: ReactNode, value: ReactNode];

export function Figures({ label, of }: { label?: string; of: readonly Figure[] }) {
  return (
    <dl className="figures" aria-label={label}>
      {of.map(([name, value], place) => (
        <div key={place}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type TableOptions = {
  caption: string;
  /** The first column names its row, the others are figures. */
  heads: readonly ReactNode[];
  rows: readonly (readonly ReactNode[])[];
  className?: string;
  hasRowHeads?: boolean;
};

export function FiguresTable({ caption, heads, rows, className = "figures-table", hasRowHeads = false }: TableOptions) {
  return (
    <table className={className}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, place) => (
            <th key={place} scope="col" className={place === 0 ? undefined : "numeric"}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...figures], row) => (
          <tr key={row}>
            {hasRowHeads ? <th scope="row">{first}</th> : <td>{first}</td>}
            {figures.map((figure, place) => (
              <td key={place} className="numeric">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The same as a chart, for people who read the figures or copy them. */
export function AsTable({
  label,
  summary,
  className,
  children,
  ...table
}: TableOptions & { label: string; summary: string; children?: ReactNode }) {
  return (
    <details className={className}>
      <summary>{summary}</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
        <FiguresTable {...table} hasRowHeads />
        {children}
      </div>
    </details>
  );
}
