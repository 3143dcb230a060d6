import { errorCodes } from "virtual:error-codes";
import { useEffect, useId, useState } from "react";
import { operations } from "../../data/calls.ts";
import { logFilterNames, type LogFilterName } from "../../data/log-filters.ts";
import { Icon } from "../../parts/shown/icon.tsx";
import { MomentRange, RangeChoice } from "../../parts/fields/time-filter.tsx";
import { useUrlState } from "../../parts/page/address.tsx";
import { useCallerNames } from "../../parts/names/names.tsx";
import { FoldingFilters, OptionList } from "../../parts/fields/field-frame.tsx";

type LogFilter = {
  readonly label: string;
  readonly placeholder: string;
  /** The suggested values. Any other value may be typed. */
  readonly offered: readonly { value: string; label?: string }[];
  readonly isNumber?: boolean;
  readonly isFirst?: boolean;
  text?(value: string): string;
};

const statuses = ["2xx", "4xx", "5xx", "400", "401", "403", "404", "409", "422", "429", "500", "502", "503"];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
function filtersOf(names: ReadonlyMap<string, string>): Readonly<Record<LogFilterName, LogFilter>> {
  const callers = (prefix: string) =>
    [...names].flatMap(([id, label]) => (id.startsWith(prefix) ? [{ value: id, label }] : []));
  const named = (value: string): string => names.get(value) ?? value;
  return {
    status: { label: "Status", placeholder: "4xx, 404", offered: statuses.map((value) => ({ value })), isFirst: true },
    operationId: {
      label: "Operation",
      placeholder: "createPayment",
      offered: Object.entries(operations).map(([value, { summary }]) => ({ value, label: summary })),
      isFirst: true,
    },
    code: { label: "Code", placeholder: "INVALID_REQUEST", offered: errorCodes.map((value) => ({ value })) },
    method: { label: "Method", placeholder: "POST", offered: methods.map((value) => ({ value })) },
    apiKeyId: { label: "API key", placeholder: "key_…", offered: callers("key_"), text: (id) => `key ${named(id)}` },
    applicationId: {
      label: "Application",
      placeholder: "app_…",
      offered: callers("app_"),
      text: (id) => `by ${named(id)}`,
    },
    minDurationMs: {
      label: "At least, in ms",
      placeholder: "250",
      offered: [],
      isNumber: true,
      text: (value) => `≥ ${value} ms`,
    },
  };
}

/** The filters of the log. All of them are in the address, each as a chip that a click removes. */
export function LogFilters({ only = logFilterNames }: { only?: readonly LogFilterName[] }) {
  const [state, setState] = useUrlState();
  const filters = filtersOf(useCallerNames());
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const setCount = only.filter((name) => state[name]).length;
  const isWhole = only === logFilterNames;
  const first = only.filter((name) => filters[name].isFirst === true || !isWhole);
  const set = (name: LogFilterName) => (value: string) => setState({ [name]: value || undefined, open: undefined });
  const field = (name: LogFilterName) => (
    <FilterText key={name} filter={filters[name]} value={state[name] ?? ""} onChange={set(name)} />
  );
  return (
    <FoldingFilters className="log-filters" setCount={setCount}>
      <div className="filters">
        <RangeChoice />
        {first.map(field)}
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          More filters
        </button>
        {isWhole && (
          <label className="check">
            <input
              type="checkbox"
              checked={state["console"] === "1"}
              onChange={({ target: { checked } }) => setState({ console: checked ? "1" : undefined, open: undefined })}
            />
            console's
          </label>
        )}
      </div>
      <div className="filters more-filters" id={id} hidden={!isOpen}>
        {only.filter((name) => !first.includes(name)).map(field)}
        <MomentRange />
      </div>
      <Chips filters={filters} only={only} />
    </FoldingFilters>
  );
}

function Chips({
  filters,
  only,
}: {
  filters: Readonly<Record<LogFilterName, LogFilter>>;
  only: readonly LogFilterName[];
}) {
  const [state, setState] = useUrlState();
  const active = only.flatMap((name) => {
    const value = state[name];
    return value ? [{ name, label: filters[name].label, text: filters[name].text?.(value) ?? value }] : [];
  });
  if (active.length === 0) {
    return null;
  }
  return (
    <ul className="chips" aria-label="Narrowed to">
      {active.map(({ name, label, text }) => (
        <li key={name}>
          <button
            type="button"
            className="chip"
            aria-label={`${label} ${text}: remove`}
            onClick={() => setState({ [name]: undefined, open: undefined })}
          >
            <bdi>{text}</bdi> <Icon name="close" size={12} />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="button small quiet"
          onClick={() =>
            setState({ ...Object.fromEntries(active.map(({ name }) => [name, undefined])), open: undefined })
          }
        >
          Clear
        </button>
      </li>
    </ul>
  );
}

type FilterTextOptions = { filter: LogFilter; value: string; onChange(value: string): void };

/**
 * Applies the filter when a suggestion is chosen, at Enter, and when the field is left: half a code would find nothing.
 */
function FilterText({ filter, value, onChange }: FilterTextOptions) {
  const { label, placeholder, offered, isNumber = false } = filter;
  const [text, setText] = useState(value);
  const id = useId();
  const list = useId();
  useEffect(() => setText(value), [value]);
  const commit = (typed: string): void => {
    if (typed.trim() !== value) {
      onChange(typed.trim());
    }
  };
  return (
    <div className="filter-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="filter"
        placeholder={placeholder}
        value={text}
        data-active={value !== ""}
        list={offered.length > 0 ? list : undefined}
        inputMode={isNumber ? "numeric" : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value: typed } }) => {
          setText(typed);
          if (offered.some((one) => one.value === typed)) {
            commit(typed);
          }
        }}
        onBlur={() => commit(text)}
        onKeyDown={({ key }) => key === "Enter" && commit(text)}
      />
      {offered.length > 0 && (
        <datalist id={list}>
          <OptionList of={offered} />
        </datalist>
      )}
    </div>
  );
}
