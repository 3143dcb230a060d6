import { useCallback } from "react";
import { useUrlState } from "./use-url-state.ts";

/** Which dialog is open, in the address: `do=create`. A secret never is: it lives in the state of who shows it. */
export function useDo(): [string | undefined, (what: string | undefined) => void] {
  const [state, setState] = useUrlState();
  const set = useCallback(
    (what: string | undefined) => setState({ do: what }, { replace: what === undefined }),
    [setState],
  );
  return [state["do"], set];
}
