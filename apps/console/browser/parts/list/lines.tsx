import { type ReactNode, useState, type ComponentProps } from "react";
import type { Destination } from "../page/destination.ts";
import { ScreenLink } from "../page/address.tsx";
import { FailedPart, type Asked, AsItStood } from "../shown/states.tsx";
import type { Call, OperationId } from "../../data/calls.ts";
import { isLeafedThrough, theLatest } from "../../data/live-lists.ts";
import { useCall } from "../call/use-call.ts";

type LinesOptions<Item> = {
  of: Asked & { data: { data: readonly Item[] } | undefined; more?: ReactNode };
  label?: string | undefined;
  empty?: ReactNode;
  children(item: Item): ReactNode;
};

/** A short list within a pane or a card, one line per item, or the reason why it is missing. */
export function Lines<Item>({ of, label, empty, children }: LinesOptions<Item>) {
  return (
    <>
      <FailedPart of={of} />
      {of.data?.data.length === 0 && empty !== undefined && <p className="faint">{empty}</p>}
      <ul className="lines" aria-label={label}>
        {of.data?.data.map(children)}
      </ul>
      {of.more}
    </>
  );
}

type LineOptions = ComponentProps<typeof ScreenLink> & { more?: ReactNode; end?: ReactNode };

/** A line that leads somewhere. `more` is fainter than its link, `end` is at the end of the line. */
export function Line({ more, end, ...link }: LineOptions) {
  return (
    <li>
      <ScreenLink {...link} />
      {more !== undefined && <span className="faint">{more}</span>}
      {end}
    </li>
  );
}

type BelowOptions = { title: string; label?: string; all?: Destination; children: ReactNode };

/** A part of a pane below its facts. `all` leads to the whole list, of which this shows the latest. */
export function Below({ title, label, all, children }: BelowOptions) {
  return (
    <section className="below" aria-label={label}>
      <h3>
        {title} {all && <ScreenLink {...all}>All</ScreenLink>}
      </h3>
      {children}
    </section>
  );
}

/** The latest items of a list within a pane. `more` belongs below them: the button that shows all, and their age. */
export function useLatest<Id extends OperationId>(call: Call<Id>, count: number) {
  const [isWhole, setIsWhole] = useState(false);
  const query = useCall(isWhole ? call : { ...call, query: { ...call.query, limit: count } }, { isWhole });
  const { data, isPlaceholderData, dataUpdatedAt } = query;
  const isAsking = isWhole && isPlaceholderData;
  // Pressing again does not restart a request in flight, because a long list takes a while.
  const loadAgain = (): void => void query.refetch({ cancelRefetch: false });
  const more: ReactNode = (
    <>
      {data?.meta.hasMore &&
        (isWhole && !isAsking ? (
          <p className="faint">These are {theLatest}.</p>
        ) : (
          <button type="button" className="button small" aria-disabled={isAsking} onClick={() => setIsWhole(true)}>
            {isAsking ? "Loading…" : "Show all"}
          </button>
        ))}
      {isLeafedThrough(data) && <AsItStood updatedAt={dataUpdatedAt} loadAgain={loadAgain} />}
    </>
  );
  return { ...query, more };
}
