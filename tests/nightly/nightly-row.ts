/** One line of a night's file, in JSON. */
export type NightlyRow = {
  /** When the night began, ISO 8601 in UTC: all rows of a night have the same. */
  night: string;
  commit: string;
  /** The suite's path in the repository. */
  suite: string;
  /** The test, and the figure where the test measured one. */
  name: string;
  value: number;
  unit: string;
  /** How many times as long as on an idle machine a fixed piece of work took: 1 or more. */
  slowness: number;
  seed: number | null;
};

/** Reads the lines of any number of nights. Throws for a line that is not a row, with its number. */
export function parseRows(text: string): NightlyRow[] {
  return text
    .split("\n")
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line !== "")
    .map(({ line, number }) => {
      const row: unknown = JSON.parse(line);
      if (!isRow(row)) {
        throw new Error(`Line ${number} is not a row of a night: ${line.slice(0, 200)}`);
      }
      return row;
    });
}

function isRow(value: unknown): value is NightlyRow {
  const texts = ["night", "commit", "suite", "name", "unit"] as const;
  return (
    typeof value === "object" &&
    value !== null &&
    texts.every((key) => key in value && typeof value[key as keyof typeof value] === "string") &&
    "value" in value &&
    typeof value.value === "number" &&
    "slowness" in value &&
    typeof value.slowness === "number"
  );
}
