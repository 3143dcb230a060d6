import { stateChoices, type MachineName } from "../../data/state-machines.ts";
import type { Filter } from "./filter-bar.tsx";

/** A filter by state. A list that usually shows one state offers the others, and all. */
export function stateFilter(
  machine: MachineName,
  { label = "State", usual }: Pick<Filter, "usual"> & { label?: string } = {},
): Filter {
  const choices = stateChoices(machine);
  return usual === undefined
    ? { name: "status", label, choices }
    : {
        ...{ name: "status", label, usual },
        choices: [...choices.filter(({ value }) => value !== usual), { value: "all", label: "all" }],
      };
}
