import { relativeRanges, usualRange } from "../../data/ranges.ts";
import { usePreferences } from "../../data/preferences.ts";
import { fieldOfMoment, momentOfField } from "./moment-field.ts";
import { formatTime } from "../shown/time.tsx";
import { useUrlState } from "../page/use-url-state.ts";
import { OptionList } from "./option-list.tsx";

/** A time before now that stays relative in the address, or the two moments that are in it. */
export function RangeChoice({ usual = usualRange }: { usual?: string }) {
  const [{ range, since, until }, setState] = useUrlState();
  const { zone } = usePreferences();
  const isAbsolute = Boolean(since ?? until);
  const text = (at: string | undefined, otherwise: string): string =>
    at === undefined || Number.isNaN(Date.parse(at)) ? otherwise : formatTime(new Date(at), zone, false);
  return (
    <select
      className="filter"
      aria-label="Time"
      data-active={isAbsolute || Boolean(range)}
      value={isAbsolute ? "absolute" : (range ?? usual)}
      onChange={({ target: { value } }) =>
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
    </select>
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
