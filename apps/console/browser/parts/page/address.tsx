import { useNavigate, useSearch, Link } from "@tanstack/react-router";
import { useCallback, type ComponentProps, type ComponentType } from "react";
import type { Destination, ScreenPath } from "./destination.ts";

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

type Attributes = Omit<ComponentProps<"a">, "href"> & { readonly [Name in `data-${string}`]?: string };
type RouterLinkOptions = Attributes & {
  to: string;
  search?: object | ((before: UrlState) => UrlState);
  resetScroll?: boolean;
  activeProps?: object;
  activeOptions?: { exact: boolean; includeSearch: boolean };
};

/** The router infers paths from its routes. Ours are loaded late, so it knows none; `Destination` does. */
const RouterLink = Link as ComponentType<RouterLinkOptions>;

export function ScreenLink({ to, open, search, ...attributes }: Destination & Attributes) {
  return <RouterLink to={to} search={{ ...search, open }} {...attributes} />;
}

export function TryLink({ operationId, ...attributes }: Attributes & { operationId: string }) {
  return <RouterLink to={`/try/${operationId}`} {...attributes} />;
}

export function PlaceLink({ to, ...attributes }: Attributes & { to: ScreenPath }) {
  return <RouterLink to={to} activeOptions={{ exact: to === "/", includeSearch: false }} {...attributes} />;
}

export function StateLink({
  search,
  ...attributes
}: Attributes & Required<Pick<RouterLinkOptions, "search">> & Pick<RouterLinkOptions, "resetScroll" | "activeProps">) {
  return <RouterLink to="." search={search} {...attributes} />;
}

export function useGo(): (destination: Destination) => void {
  const navigate = useNavigate();
  return ({ to, open, search }) => void navigate({ to, search: { ...search, open } });
}
