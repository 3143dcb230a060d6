import { useState, type ReactNode } from "react";
import type { Call } from "../data/calls.ts";
import type { OperationId } from "../data/operation-row.ts";
import { useCall } from "./use-call.ts";

/** The latest of a list within a pane. `more`: the button that shows the others, where there are any. */
export function useLatest<Id extends OperationId>(call: Call<Id>, count: number) {
  const [isWhole, setIsWhole] = useState(false);
  const query = useCall(isWhole ? call : { ...call, query: { ...call.query, limit: count } }, { isWhole });
  const isAsking = isWhole && query.isPlaceholderData;
  const more: ReactNode = !query.data?.meta.hasMore ? null : isWhole && !isAsking ? (
    <p className="faint">These are the latest 1,000.</p>
  ) : (
    <button type="button" className="button small" aria-disabled={isAsking} onClick={() => setIsWhole(true)}>
      {isAsking ? "Loading…" : "Show all"}
    </button>
  );
  return { ...query, more };
}
