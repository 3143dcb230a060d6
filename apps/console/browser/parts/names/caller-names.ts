import { useNameChoices } from "./names.tsx";

/** The names of keys and applications, by id. A person who may not list them sees ids. */
export function useCallerNames(): ReadonlyMap<string, string> {
  const choices = [...useNameChoices("apiKey"), ...useNameChoices("application")];
  return new Map(choices.map(({ value, label }) => [value, label]));
}
