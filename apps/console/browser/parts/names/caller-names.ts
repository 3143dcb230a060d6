import { useNameChoices } from "./names.tsx";

/** What people called keys and applications, by id. Who may not list them reads ids. */
export function useCallerNames(): ReadonlyMap<string, string> {
  const choices = [...useNameChoices("apiKey"), ...useNameChoices("application")];
  return new Map(choices.map(({ value, label }) => [value, label]));
}
