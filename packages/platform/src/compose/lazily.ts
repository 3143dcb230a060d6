export type Makers<Made> = { [Name in keyof Made]: () => Made[Name] };

/** An object whose values are made on first access, each once. */
export function lazily<Made extends object>(makers: Makers<Made>): Made {
  const made: Partial<Made> = {};
  const properties = Object.keys(makers).map((key) => {
    // The makers and the values have the same keys.
    const name = key as keyof Made;
    return [key, { enumerable: true, get: () => (made[name] ??= makers[name]()) }] as const;
  });
  return Object.defineProperties({} as Made, Object.fromEntries(properties));
}

/** Both objects in one. Values that are made on access stay so, because only a spread would make all of them. */
export function together<One extends object, Other extends object>(one: One, other: Other): One & Other {
  const both = { ...Object.getOwnPropertyDescriptors(one), ...Object.getOwnPropertyDescriptors(other) };
  return Object.defineProperties({} as One & Other, both);
}
