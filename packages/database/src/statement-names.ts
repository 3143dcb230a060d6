import { createHash } from "node:crypto";

/** The name under which a statement is prepared, or undefined when it runs unnamed. */
export type StatementNames = (sql: string) => string | undefined;

/** Each statement is planned once per connection. At most `limit` names, because text that varies would fill memory. */
export function createStatementNames(limit = 500): StatementNames {
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= limit) {
      return known;
    }
    const name = `s_${createHash("sha256").update(sql).digest("base64url").slice(0, 22)}`;
    names.set(sql, name);
    return name;
  };
}
