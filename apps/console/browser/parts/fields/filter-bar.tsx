import { useEffect, useRef, useState } from "react";
import { ranges, sinceOf } from "../../data/ranges.ts";
import { useUrlState, type UrlState } from "../page/address.tsx";
import { type Choice, toggled } from "./field-input.tsx";
import { TimeFilter, timesOf } from "./time-filter.tsx";
import { FilterSelect, FoldingFilters, OptionList } from "./field-frame.tsx";

export type Filter = {
  /** The name in the query of the address, and in that of the operation. */
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly Choice[];
  /** `several`: choices separated by commas. `time`: the input of `timesOf`. Without it, one choice. */
  readonly kind?: "several" | "time";
  /** The value sent while nothing is chosen. The choice `all` removes it. */
  readonly usual?: string;
};

/** A filter by creation time, whose range stays relative in the address. */
export function rangeFilter(label = "Created"): Filter {
  return { name: "range", label, choices: ranges };
}

export const externalIdFilter: Filter = { name: "externalId", label: "External id" };

export function namesOf({ kind, name }: Filter): readonly string[] {
  return kind === "time" ? ["range", "since", "until"] : [name];
}

export function queryOfFilters(filters: readonly Filter[], state: UrlState): UrlState {
  const queryOf = ({ kind, name, usual }: Filter): UrlState => {
    if (kind === "time") {
      return timesOf(state);
    }
    if (name === "range") {
      return { createdAfter: sinceOf(state["range"]) };
    }
    return { [name]: usual !== undefined && state[name] === "all" ? undefined : (state[name] ?? usual) };
  };
  return filters.reduce<UrlState>((query, filter) => ({ ...query, ...queryOf(filter) }), {});
}

export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const [state, setState] = useUrlState();
  const active = filters.flatMap(namesOf).filter((name) => state[name]);
  return (
    <FoldingFilters className="filters" setCount={active.length}>
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} />
      ))}
      {active.length > 0 && (
        <button
          type="button"
          className="button small quiet"
          onClick={() => setState(Object.fromEntries(active.map((name) => [name, undefined])))}
        >
          Clear
        </button>
      )}
    </FoldingFilters>
  );
}

function FilterField({ filter }: { filter: Filter }) {
  const { name, label, choices, kind } = filter;
  const [state, setState] = useUrlState();
  const value = state[name] ?? "";
  const set = (next: string): void => setState({ [name]: next || undefined, open: undefined });
  if (kind === "time") {
    return <TimeFilter label={label} state={state} onChange={(change) => setState({ ...change, open: undefined })} />;
  }
  if (choices === undefined) {
    const replace = (next: string): void => setState({ [name]: next || undefined, open: undefined }, { replace: true });
    return <TextFilter label={label} value={value} onChange={replace} />;
  }
  return kind === "several" ? (
    <SeveralFilter label={label} choices={choices} value={value} onChange={set} />
  ) : (
    <FilterSelect label={label} value={value} onChange={set}>
      <option value="">{label}: any</option>
      <OptionList of={choices} chosen={value} />
    </FilterSelect>
  );
}

function TextFilter({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
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
      aria-label={label}
      placeholder={label}
      value={text}
      data-active={value !== ""}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

type SeveralOptions = { label: string; choices: readonly Choice[]; value: string; onChange(value: string): void };

/** Any number of a few: each a press, and in the address with commas between them, as operations take them. */
function SeveralFilter({ label, choices, value, onChange }: SeveralOptions) {
  const chosen = value.split(",").filter(Boolean);
  return (
    <div className="several" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="filter"
          aria-pressed={chosen.includes(choice.value)}
          data-active={chosen.includes(choice.value)}
          onClick={() => onChange(toggled(choices, chosen, choice.value).join(","))}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
