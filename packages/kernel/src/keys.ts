/** The keys of a record, in their order, with their type. The type must name all of them, as that of a literal does. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // `Object.keys` returns `string[]`, because a value may have more keys than its type. Callers pass no such value.
  return Object.keys(table) as (keyof Table & string)[];
}

/** Whether a name is a key of the record itself. `in` also finds `toString`, which every object inherits. */
export function hasKey<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}
