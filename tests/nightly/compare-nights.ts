import type { NightlyRow } from "./nightly-row.ts";

/** A figure whose median of the latest nights differs from that of the nights before. */
export type Move = { suite: string; name: string; unit: string; before: number; after: number; share: number };

/** Nights whose median is compared with that of as many nights before. */
const nightsCompared = 5;
const largestShare = 0.3;
/** A duration of less says more of the machine than of the product. */
const leastMs = 100;

/**
 * Every figure that moved by 30 % or more, the largest move first. Durations are divided by how slow the machine was.
 */
export function findMoves(rows: readonly NightlyRow[]): Move[] {
  const nights = [...new Set(rows.map(({ night }) => night))].toSorted().slice(-2 * nightsCompared);
  const latest = new Set(nights.slice(-nightsCompared));
  const earlier = new Set(nights.slice(0, -nightsCompared));
  if (earlier.size < nightsCompared) {
    return [];
  }
  const figures = Map.groupBy(rows, ({ suite, name, unit }) => JSON.stringify([suite, name, unit]));
  return Array.from(figures.values(), (figure) => moveOf(figure, earlier, latest))
    .filter((move) => move !== null)
    .toSorted((left, right) => Math.abs(right.share) - Math.abs(left.share));
}

function moveOf(figure: readonly NightlyRow[], earlier: ReadonlySet<string>, latest: ReadonlySet<string>): Move | null {
  const [first] = figure;
  const of = (nights: ReadonlySet<string>): number | null =>
    median(figure.filter(({ night }) => nights.has(night)).map(valueOnIdleMachine));
  const [before, after] = [of(earlier), of(latest)];
  if (!first || before === null || after === null || before === 0) {
    return null;
  }
  if (first.unit === "ms" && Math.max(before, after) < leastMs) {
    return null;
  }
  const share = after / before - 1;
  const { suite, name, unit } = first;
  return Math.abs(share) >= largestShare ? { suite, name, unit, before, after, share } : null;
}

function valueOnIdleMachine({ value, unit, slowness }: NightlyRow): number {
  return unit === "ms" ? value / slowness : value;
}

/** Null where the figure was not measured in each of the nights: a new one is not compared yet. */
function median(values: readonly number[]): number | null {
  return values.length < nightsCompared
    ? null
    : (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null);
}

/** The text of the issue; empty when nothing moved. */
export function renderMoves(moves: readonly Move[]): string {
  if (moves.length === 0) {
    return "";
  }
  const figureOf = (value: number, unit: string): string => `${value.toFixed(unit === "ms" ? 0 : 1)} ${unit}`;
  return [
    `The median of the last ${nightsCompared} nights differs by 30 % or more from that of the ${nightsCompared} nights before.`,
    "Durations are divided by how slow the machine was.",
    "",
    "| suite | figure | before | after | |",
    "|---|---|---|---|---|",
    ...moves.map(
      ({ suite, name, unit, before, after, share }) =>
        `| \`${suite}\` | ${name.replaceAll("|", "\\|")} | ${figureOf(before, unit)} | ${figureOf(after, unit)} | ` +
        `${share > 0 ? "+" : ""}${Math.round(share * 100)} % |`,
    ),
    "",
  ].join("\n");
}
