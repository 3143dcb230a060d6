/** Fills `/wallets/{walletId}`. An id that is empty or of dots would lead to another operation: it is a TypeError. */
export function fillPath(path: string, parameters: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name} must be an id${value === "" ? ", and is empty" : ""}.`);
    }
    return encodeURIComponent(value);
  });
}
