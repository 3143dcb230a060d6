import { sql, type Kysely, type RawBuilder } from "kysely";

type Rows<Tables, Table extends keyof Tables> = {
  from: Table;
  /** The first column of an index. */
  by: keyof Tables[Table] & string;
  until: Date | RawBuilder<Date>;
  limit: number;
};

/** Deletes at most `limit` of the oldest rows, up to a moment, from an unpartitioned table. Returns their number. */
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
