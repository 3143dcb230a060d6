import { lazy, type ComponentType } from "react";
import { whenOnline } from "../../data/when-online.ts";

/** A component that is loaded when it is first shown, as soon as there is a network. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await whenOnline(load))[name] }));
}
