import { useEffect, useRef, useState } from "react";
import type { Choice } from "./field-input.tsx";
import { SeveralFilter } from "./several-filter.tsx";
import { TimeFilter } from "./time-filter.tsx";
import { useUrlState } from "../page/use-url-state.ts";

export { ranges, sinceOf } from "./ranges.ts";

export type Filter = {
  /** Of the query of the address, and of the operation. */
  readonly name: string;
  readonly label: string;
  /** Without any it is a text. */
  readonly choices?: readonly Choice[];
  /** `several`: any number of the choices, with commas between them. `time`: what `timesOf` reads. Without it, one choice. */
  readonly kind?: "several" | "time";
};

/** The parameters of the address that a filter is. */
export function namesOf({ kind, name }: Filter): readonly string[] {
  return kind === "time" ? ["range", "since", "until"] : [name];
}

export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const [state, setState] = useUrlState();
  const active = filters.flatMap(namesOf).filter((name) => state[name]);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="filters folding" role="search" aria-label="Filters" data-open={isOpen}>
      <button type="button" className="button fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Filters{active.length > 0 && `, ${active.length} set`}
      </button>
      {filters.map((filter) =>
        filter.kind === "time" ? (
          <TimeFilter
            key={filter.name}
            label={filter.label}
            state={state}
            onChange={(change) => setState({ ...change, open: undefined })}
          />
        ) : filter.kind === "several" ? (
          <SeveralFilter
            key={filter.name}
            label={filter.label}
            choices={filter.choices ?? []}
            value={state[filter.name] ?? ""}
            onChange={(value) => setState({ [filter.name]: value || undefined, open: undefined })}
          />
        ) : filter.choices ? (
          <select
            key={filter.name}
            className="filter"
            aria-label={filter.label}
            data-active={Boolean(state[filter.name])}
            value={state[filter.name] ?? ""}
            onChange={(event) => setState({ [filter.name]: event.target.value || undefined, open: undefined })}
          >
            <option value="">{filter.label}: any</option>
            {withChosen(filter.choices, state[filter.name]).map(({ value, label }) => (
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
          onClick={() => setState(Object.fromEntries(active.map((name) => [name, undefined])))}
        >
          Clear
        </button>
      )}
    </div>
  );
}

/** Adds the value of the URL when it is not among the choices, such as an entry older than the list of names. */
function withChosen(choices: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  return !chosen || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: chosen }];
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
