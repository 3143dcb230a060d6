import type { ReactNode } from "react";
import type { Destination } from "../page/destination.ts";
import { ScreenLink } from "../page/screen-link.tsx";

export function IdLink({ text, ...destination }: Destination & { open: string; text?: ReactNode }) {
  return (
    <ScreenLink {...destination} className="id-link">
      {text || <code>{destination.open}</code>}
    </ScreenLink>
  );
}
