import { useEffect, useRef, useState } from "react";
import type { Choice } from "./field-input.tsx";
import { useUrlState } from "./use-url-state.ts";

export type Filter = {
  /** Of the query of the address, and of the operation. */
  readonly name: string;
  readonly label: string;
  /** Without any it is a text. */
  readonly choices?: readonly Choice[];
};

/** Relative ranges stay relative in the address: a shared link means the last hour of who opens it. */
export const ranges: readonly Choice[] = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** Where a range begins, to the minute: the same question until the next minute. */
export function sinceOf(range: string | undefined): string | undefined {
  const [, count, unit = ""] = /^(\d{1,3})([hd])$/.exec(range ?? "") ?? [];
  const size = unitMs[unit];
  if (count === undefined || size === undefined) {
    return undefined;
  }
  return new Date(Math.floor((Date.now() - Number(count) * size) / 60_000) * 60_000).toISOString();
}

export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const [state, setState] = useUrlState();
  const active = filters.filter(({ name }) => state[name]);
  return (
    <div className="filters" role="search" aria-label="Filters">
      {filters.map((filter) =>
        filter.choices ? (
          <select
            key={filter.name}
            className="filter"
            aria-label={filter.label}
            data-active={Boolean(state[filter.name])}
            value={state[filter.name] ?? ""}
            onChange={(event) => setState({ [filter.name]: event.target.value || undefined, open: undefined })}
          >
            <option value="">{filter.label}: any</option>
            {filter.choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <TextFilter
            key={filter.name}
            filter={filter}
            value={state[filter.name] ?? ""}
            onChange={(value) => setState({ [filter.name]: value || undefined, open: undefined }, { replace: true })}
          />
        ),
      )}
      {active.length > 0 && (
        <button
          type="button"
          className="button small quiet"
          onClick={() => setState(Object.fromEntries(active.map(({ name }) => [name, undefined])))}
        >
          Clear
        </button>
      )}
    </div>
  );
}

/** Asks when typing rests for a moment. */
function TextFilter({ filter, value, onChange }: { filter: Filter; value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    const timer = text === value ? undefined : setTimeout(() => change.current(text.trim()), 300);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <input
      className="filter"
      aria-label={filter.label}
      placeholder={filter.label}
      value={text}
      data-active={value !== ""}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
