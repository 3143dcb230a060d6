export type Makers<Made> = { [Name in keyof Made]: () => Made[Name] };

/** An object whose values are made when they are first asked for, each once. */
export function lazily<Made extends object>(makers: Makers<Made>): Made {
  const made: Partial<Made> = {};
  const properties = Object.keys(makers).map((key) => {
    // The keys of the makers are those of what they make.
    const name = key as keyof Made;
    return [key, { enumerable: true, get: () => (made[name] ??= makers[name]()) }] as const;
  });
  return Object.defineProperties({} as Made, Object.fromEntries(properties));
}

/** Both objects in one. What is made when it is asked for stays so, where a spread would ask for all of it. */
export function together<One extends object, Other extends object>(one: One, other: Other): One & Other {
  const both = { ...Object.getOwnPropertyDescriptors(one), ...Object.getOwnPropertyDescriptors(other) };
  return Object.defineProperties({} as One & Other, both);
}
