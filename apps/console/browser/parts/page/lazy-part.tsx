import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { whenOnline } from "../../data/when-online.ts";

/** A component that loads when it is first shown, as soon as there is a network. `waiting` is shown until then. */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  waiting: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  // A lazy component has the properties of the one that it loads.
  const Loaded = lazy(async () => ({ default: (await whenOnline(load))[name] })) as unknown as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={waiting(props)}>
      <Loaded {...props} />
    </Suspense>
  );
}
