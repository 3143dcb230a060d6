import type { ReactNode } from "react";
import type { Destination } from "../../parts/page/destination.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";

type Options = { label: string; title?: string; all: Destination; isFixed?: boolean; children: ReactNode };

/** A part of the overview, with a link to everything that it summarizes. `isFixed`: its height is known. */
export function Card({ label, title = label, all, isFixed = false, children }: Options) {
  return (
    <section className={isFixed ? "card fixed" : "card"} aria-label={label}>
      <h2>
        {title} <ScreenLink {...all}>All</ScreenLink>
      </h2>
      {children}
    </section>
  );
}
