import { sql, type CompiledQuery, type Kysely, type QueryExecutorProvider, type RawBuilder } from "kysely";

/** Stand for the values of a query that is put together before they are known. */
export type Named<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

/** A query that is compiled at its first run only, because that takes as long as Postgres takes for a page. */
export function prepareQuery<Values extends object, Row>(
  db: QueryExecutorProvider & Pick<Kysely<unknown>, "executeQuery">,
  build: (named: Named<Values>) => { compile(db: QueryExecutorProvider): CompiledQuery<Row> },
): (values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (values) => {
    compiled ??= build(placeholders<Values>()).compile(db);
    // `build` can name only the values of `Values`, so every placeholder has one of their names.
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

/** Kysely takes it for a value. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function placeholders<Values extends object>(): Named<Values> {
  // The proxy has a placeholder for every name, including those of `Values`.
  return new Proxy({} as Named<Values>, { get: (_none, name) => sql`${new Placeholder(String(name))}` });
}
