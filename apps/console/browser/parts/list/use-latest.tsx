import { useState, type ReactNode } from "react";
import type { Call } from "../../data/calls.ts";
import { isLeafedThrough } from "../../data/live-lists.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { theLatest } from "../../data/whole-list.ts";
import { AsItStood } from "../shown/states.tsx";
import { useCall } from "../call/use-call.ts";

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
