import { sql, type Kysely, type RawBuilder } from "kysely";

type Rows<Tables, Table extends keyof Tables> = {
  from: Table;
  /** An index begins with it. */
  by: keyof Tables[Table] & string;
  until: Date | RawBuilder<Date>;
  limit: number;
};

/** Deletes the oldest rows up to a moment, at most so many, of a table without partitions. Answers how many went. */
export async function deleteOldest<Tables, Table extends keyof Tables & string>(
  db: Kysely<Tables>,
  { from, by, until, limit }: Rows<Tables, Table>,
): Promise<number> {
  const [table, column] = [sql.table(from), sql.ref(by)];
  const { numAffectedRows } = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${column} <= ${until} order by ${column} limit ${limit} for update skip locked
    ))
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
