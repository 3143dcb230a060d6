import { listedValues } from "virtual:listed-values";

/** The values of a list in the document, in its order. Throws when the build does not cut it out. */
export function valuesOf(list: string): readonly string[] {
  const values = listedValues[list];
  if (values === undefined) {
    throw new Error(`The page does not have the values of ${list}: name it in src/build/listed-values.ts.`);
  }
  return values;
}
