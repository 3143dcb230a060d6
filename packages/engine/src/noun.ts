import { keysOf } from "@gateway/kernel";

type CamelCase<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** A row as the business reads it: its columns in camelCase, without the account, which every reader knows. */
export type NounOf<Row> = {
  [Column in keyof Row & string as Exclude<CamelCase<Column>, "accountId">]: Row[Column];
};

/** The name of each column that was ever read, because pages have the same ones in every row. */
const names = new Map<string, string>();

export function nounOf<Row extends object>(row: Row): NounOf<Row> {
  const noun: Record<string, unknown> = {};
  for (const column of keysOf(row)) {
    if (column !== "account_id") {
      noun[nameOf(column)] = row[column];
    }
  }
  // `CamelCase` renames the types as `nameOf` does the columns.
  return noun as NounOf<Row>;
}

/** `wallet_id` is `walletId`. */
export function nameOf(column: string): string {
  const known = names.get(column);
  if (known !== undefined) {
    return known;
  }
  const name = column.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
  names.set(column, name);
  return name;
}
