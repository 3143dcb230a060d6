import { useState } from "react";
import { usePreferences } from "../../data/preferences.ts";
import { fieldOfMoment, momentOfField } from "./moment-field.ts";
import { ranges, sinceOf } from "../../data/ranges.ts";
import type { UrlState } from "../page/use-url-state.ts";
import { OptionList } from "./option-list.tsx";

/** The time of the address as operations accept it, from `range` or from `since` and `until`. */
export function timesOf({ range, since, until }: UrlState): { since: string | undefined; until: string | undefined } {
  return range ? { since: sinceOf(range), until: undefined } : { since: since || undefined, until: until || undefined };
}

const between = "between";

type Options = { label: string; state: UrlState; onChange(change: UrlState): void };

export function TimeFilter({ label, state, onChange }: Options) {
  const { zone } = usePreferences();
  const isGiven = Boolean(state["since"] || state["until"]);
  const [isAsked, setIsAsked] = useState(false);
  const isBetween = isGiven || isAsked;
  const zoneName = zone === "utc" ? "UTC" : "local time";
  return (
    <>
      <select
        className="filter"
        aria-label={label}
        data-active={isGiven || Boolean(state["range"])}
        value={isBetween ? between : (state["range"] ?? "")}
        onChange={({ target: { value } }) => {
          const isMoments = value === between;
          setIsAsked(isMoments);
          onChange({
            range: isMoments ? undefined : value || undefined,
            // The start of the former range, or a day ago. The address shows a start at once, and the user may change
            // it.
            since: isMoments ? sinceOf(state["range"] || "24h") : undefined,
            until: undefined,
          });
        }}
      >
        <option value="">{label}: any time</option>
        <OptionList of={ranges} />
        <option value={between}>Between…</option>
      </select>
      {isBetween &&
        (["since", "until"] as const).map((name) => (
          <label key={name} className="filter-moment">
            {name === "since" ? "from" : "to"}
            <input
              type="datetime-local"
              className="filter"
              aria-label={`${label} ${name === "since" ? "from" : "to"}, ${zoneName}`}
              value={fieldOfMoment(state[name], zone)}
              onChange={({ target: { value } }) => onChange({ range: undefined, [name]: momentOfField(value, zone) })}
            />
          </label>
        ))}
    </>
  );
}
