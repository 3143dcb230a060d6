import { Link, useNavigate } from "@tanstack/react-router";
import type { ComponentProps, ComponentType } from "react";
import type { Destination, ScreenPath } from "./destination.ts";
import type { UrlState } from "./use-url-state.ts";

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

/** A link to the form of an operation. */
export function TryLink({ operationId, ...attributes }: Attributes & { operationId: string }) {
  return <RouterLink to={`/try/${operationId}`} {...attributes} />;
}

/** A link of the navigation, which knows whether its screen is the one that is shown. */
export function PlaceLink({ to, ...attributes }: Attributes & { to: ScreenPath }) {
  return <RouterLink to={to} activeOptions={{ exact: to === "/", includeSearch: false }} {...attributes} />;
}

/** A link to the same screen with another query. */
export function StateLink({
  search,
  ...attributes
}: Attributes & Required<Pick<RouterLinkOptions, "search">> & Pick<RouterLinkOptions, "resetScroll" | "activeProps">) {
  return <RouterLink to="." search={search} {...attributes} />;
}

/** Goes where a link would lead. */
export function useGo(): (destination: Destination) => void {
  const navigate = useNavigate();
  return ({ to, open, search }) => void navigate({ to, search: { ...search, open } });
}
