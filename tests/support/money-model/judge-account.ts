import { sql } from "kysely";
import { findFaults } from "../../storm/ledger/judge-books.ts";
import type { Bank, Books } from "./books.ts";

const schema = "of_one_account";
const setting = "judged.account_id";

/**
 * Lets the judge read the books of one account. The schema has a view with the name of each table. It shows the rows
 * of the account that a setting names, so the other accounts in the database are not read.
 */
export async function prepareJudge({ database: { kysely } }: Bank): Promise<void> {
  await sql`do $$ declare place record; begin
    create schema ${sql.id(schema)};
    for place in
      select table_name, column_name from information_schema.columns
      join pg_class on oid = ('public.' || quote_ident(table_name))::regclass and not relispartition
      where table_schema = 'public' and column_name = case table_name when 'accounts' then 'id' else 'account_id' end
    loop
      execute format('create view %I.%I as select * from public.%2$I where %I = current_setting(%L)',
        ${sql.lit(schema)}, place.table_name, place.column_name, ${sql.lit(setting)});
    end loop;
  end $$`.execute(kysely);
}

/** Lists the faults that the judge finds in the whole books of the account. */
export async function judgeAccount({ database: { kysely }, accountId }: Books): Promise<string[]> {
  const judgements = await kysely.transaction().execute(async (trx) => {
    await sql`
      select set_config(${setting}, ${accountId}, true), set_config('search_path', ${`${schema}, public`}, true)
    `.execute(trx);
    return findFaults(trx, []);
  });
  return judgements.flatMap(({ number, faults }) => faults.map((fault) => `invariant ${number}: ${fault}`));
}
