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
