import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type UrlState = Readonly<Record<string, string | undefined>>;

/** The query of the address: filters, range, what is open. A change without `replace` is a step that Back undoes. */
export function useUrlState(): [UrlState, (change: UrlState, options?: { replace?: boolean }) => void] {
  // The router reads every value as text (router.tsx).
  const state = useSearch({ strict: false }) as UrlState;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: UrlState, { replace = false } = {}) => {
      const search: object = (before: UrlState) => ({ ...before, ...patch });
      // It is the same screen: it stays where it was scrolled to.
      void navigate({ to: ".", search, replace, resetScroll: false });
    },
    [navigate],
  );
  return [state, change];
}
