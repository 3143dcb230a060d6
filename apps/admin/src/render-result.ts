type Value = string | number | boolean | Date | null;

export type Row = Readonly<Record<string, Value>>;

/** The output of a command: one row, or rows, which may still be read while the first ones are printed. */
export type Result = Row | readonly Row[] | AsyncIterable<Row>;

/** Renders line by line, so that a long list is never held: a block for each row for people, or JSON. */
export async function* renderResult(result: Result, { isJson }: { isJson: boolean }): AsyncGenerator<string> {
  const { open, renderOne, between, close, none } = isJson ? asJson : forPeople;
  if (isOne(result)) {
    yield `${renderOne(result)}\n`;
    return;
  }
  let before = open;
  for await (const row of result) {
    yield before + renderOne(row);
    before = between;
  }
  yield `${before === between ? close : none}\n`;
}

const asJson = {
  open: "[",
  renderOne: (row: Row): string => JSON.stringify(row),
  between: ",\n",
  close: "]",
  none: "[]",
};

const forPeople = { open: "", renderOne: renderBlock, between: "\n\n", close: "", none: "None." };

function renderBlock(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${value instanceof Date ? value.toISOString() : (value ?? "-")}`)
    .join("\n");
}

function isOne(result: Result): result is Row {
  return !Array.isArray(result) && !(Symbol.asyncIterator in result);
}
