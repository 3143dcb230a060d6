import { keysOf } from "@gateway/kernel";

export type Makers<Made> = { [Name in keyof Made]: () => Made[Name] };

/** An object whose values are made on first access, each once. */
export function lazily<Made extends object>(makers: Makers<Made>): Made {
  const made: Partial<Made> = {};
  const properties = keysOf(makers).map(
    (key) => [key, { enumerable: true, get: () => (made[key] ??= makers[key]()) }] as const,
  );
  // The object is empty only until `defineProperties` adds a getter for each key of `Made`.
  return Object.defineProperties({} as Made, Object.fromEntries(properties));
}

/** Both objects in one. Values that are made on access stay so, because only a spread would make all of them. */
export function together<One extends object, Other extends object>(one: One, other: Other): One & Other {
  const both = { ...Object.getOwnPropertyDescriptors(one), ...Object.getOwnPropertyDescriptors(other) };
  // The object is empty only until `defineProperties` adds the properties of both.
  return Object.defineProperties({} as One & Other, both);
}
