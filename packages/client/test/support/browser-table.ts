/** The oldest browsers in which every path of the client works. The README's table is generated from them. */
export const oldestBrowsers = { Chrome: "100", Edge: "100", Firefox: "97", Safari: "15.4" } as const;

type Newer = readonly [owner: object, name: PropertyKey];

/** The prototype of objects that only a factory creates. */
const prototypeOf = (value: object): object => Object.getPrototypeOf(value) as object;

/** APIs that one of those browsers lacks, or has only in secure contexts, with their first versions (MDN). */
export const newerApis: readonly Newer[] = [
  [AbortSignal, "any"], // 116, 124, 17.4
  [AbortSignal, "timeout"], // 103, 100, 16
  [Array, "fromAsync"], // 121, 115, 16.4
  [Array.prototype, "findLast"], // 97, 104, 15.4
  [Array.prototype, "findLastIndex"],
  [Array.prototype, "toReversed"], // 110, 115, 16
  [Array.prototype, "toSorted"],
  [Array.prototype, "toSpliced"],
  [Array.prototype, "with"],
  [ArrayBuffer.prototype, "transfer"], // 114, 122, 17.4
  [Crypto.prototype, "randomUUID"], // 92, 95, 15.4
  [Headers.prototype, "getSetCookie"], // 113, 112, 17
  [Map, "groupBy"], // 117, 119, 17.4
  [Object, "groupBy"],
  [Promise, "try"], // 128, 134, 18.2
  [Promise, "withResolvers"], // 119, 121, 17.4
  [ReadableStream, "from"], // none, 117, 27
  [ReadableStream.prototype, Symbol.asyncIterator], // 124, 110, 27
  [ReadableStream.prototype, "values"],
  [Response, "json"], // 105, 115, 17
  ...["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"].map(
    (name): Newer => [Set.prototype, name], // 122, 127, 17
  ),
  [String.prototype, "isWellFormed"], // 111, 119, 16.4
  [String.prototype, "toWellFormed"],
  [URL, "canParse"], // 120, 115, 17
  [URL, "parse"], // 126, 126, 18
  [URLSearchParams.prototype, "size"], // 113, 112, 17
  [Uint8Array, "fromBase64"], // 140, 133, 18.2
  [Uint8Array.prototype, "toBase64"],
  [Uint8Array, "fromHex"],
  [Uint8Array.prototype, "toHex"],
  // Methods of every generator and every iterator of an array: 122, 131, 18.4
  ...["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find"].map(
    (name): Newer => [prototypeOf(prototypeOf([].values())), name],
  ),
  [globalThis, "structuredClone"], // 98, 94, 15.4
];

/** Code of the client and of its one dependency. */
const ours = /\/packages\/client\/src\/|\/openapi-fetch\//;

/** Removes them for the client alone, and returns how to restore them. */
export function hideNewerApis(): () => void {
  const hidden = newerApis.flatMap(([owner, name]) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const original: unknown = descriptor?.value ?? descriptor?.get;
    if (!descriptor?.configurable || typeof original !== "function") {
      return [];
    }
    const guarded = function guard(this: unknown, ...args: unknown[]): unknown {
      // The first line names the error, the second this function, the third its caller.
      if (ours.test(new Error("Who calls?").stack?.split("\n")[2] ?? "")) {
        throw new TypeError(`${String(name)} is not a function in the oldest browsers that the README promises.`);
      }
      return Reflect.apply(original, this, args) as unknown;
    };
    Object.defineProperty(owner, name, {
      ...descriptor,
      ...(descriptor.get ? { get: guarded } : { value: guarded }),
    });
    return [{ owner, name, descriptor }];
  });
  return () => {
    for (const { owner, name, descriptor } of hidden) {
      Object.defineProperty(owner, name, descriptor);
    }
  };
}
