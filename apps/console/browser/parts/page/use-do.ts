import { useCallback } from "react";
import { useUrlState } from "./use-url-state.ts";

/**
 * The open dialog, from the address: `do=create`. A secret is never in the address, but in the state of its component.
 */
export function useDo(): [string | undefined, (what: string | undefined) => void] {
  const [state, setState] = useUrlState();
  const set = useCallback(
    (what: string | undefined) => setState({ do: what }, { replace: what === undefined }),
    [setState],
  );
  return [state["do"], set];
}
