import type { ReactNode } from "react";
import type { Destination } from "../page/destination.ts";
import { ScreenLink } from "../page/screen-link.tsx";
import { FailedPart, type Asked } from "../shown/states.tsx";

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
