import { useState } from "react";
import { usePreferences, type Preferences } from "../../data/preferences.ts";
import { ranges, sinceOf, relativeRanges, usualRange } from "../../data/ranges.ts";
import { type UrlState, useUrlState } from "../page/address.tsx";
import { FilterSelect, OptionList } from "./field-frame.tsx";
import { formatTime } from "../shown/values.tsx";

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
      <FilterSelect
        label={label}
        isActive={isGiven || Boolean(state["range"])}
        value={isBetween ? between : (state["range"] ?? "")}
        onChange={(value) => {
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
      </FilterSelect>
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

type Zone = Preferences["zone"];

/**
 * A moment of the address as its input takes it, in the zone of the person: `2026-11-23T13:05`; empty for none. Seconds
 * of zero are left out, as the browser does: React takes another text for a change and puts the old moment back.
 */
export function fieldOfMoment(at: string | undefined, zone: Zone): string {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) {
    return "";
  }
  const shiftMs = zone === "utc" ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - shiftMs).toISOString().slice(0, 19).replace(/:00$/, "");
}

/** The moment as the address keeps it, in UTC. Undefined for none. */
export function momentOfField(value: string, zone: Zone): string | undefined {
  const date = new Date(zone === "utc" ? `${value}Z` : value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A time before now that stays relative in the address, or the two moments that are in it. */
export function RangeChoice({ usual = usualRange }: { usual?: string }) {
  const [{ range, since, until }, setState] = useUrlState();
  const { zone } = usePreferences();
  const isAbsolute = Boolean(since ?? until);
  const text = (at: string | undefined, otherwise: string): string =>
    at === undefined || Number.isNaN(Date.parse(at)) ? otherwise : formatTime(new Date(at), zone, false);
  return (
    <FilterSelect
      label="Time"
      isActive={isAbsolute || Boolean(range)}
      value={isAbsolute ? "absolute" : (range ?? usual)}
      onChange={(value) =>
        setState({ range: value === usual ? undefined : value, since: undefined, until: undefined, open: undefined })
      }
    >
      <OptionList of={relativeRanges} />
      {!isAbsolute && range !== undefined && !relativeRanges.some(({ value }) => value === range) && (
        <option value={range}>Last {range}</option>
      )}
      {isAbsolute && (
        <option value="absolute">
          {text(since, "from the first")} to {text(until, "now")}
        </option>
      )}
    </FilterSelect>
  );
}

export function MomentRange() {
  const [{ since, until }, setState] = useUrlState();
  const { zone } = usePreferences();
  return (["since", "until"] as const).map((name) => (
    <label key={name} className="filter-field">
      {name === "since" ? "From" : "Until"}
      <input
        className="filter"
        type="datetime-local"
        step={1}
        value={fieldOfMoment({ since, until }[name], zone)}
        onChange={({ target: { value } }) =>
          setState({ [name]: momentOfField(value, zone), range: undefined, open: undefined }, { replace: true })
        }
      />
    </label>
  ));
}
