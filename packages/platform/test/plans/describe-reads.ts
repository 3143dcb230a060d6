import { openDatabase } from "@gateway/database";
import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlatform } from "../../src/compose/platform.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { deps, firstAudit } from "./cases.ts";
import { insertRows } from "./many-rows.ts";
import { openMeasuredDatabase, type MeasuredDatabase } from "./measured-database.ts";
import { firstRows } from "./row-values.ts";
import { sources } from "./sources.ts";
import { partitionRows, statistics, stopAutovacuum, type StatisticsName } from "./statistics.ts";
import { withoutIndexes } from "./without-indexes.ts";

const rows = 100_000;
/** Blocks of 8 KiB that may be read. They grow with the requested rows, never with the tables. */
const blocksPerRow = 10;
const blocksPerStatement = 25;

/** The rows that one statement examines in all its steps, see `walkInSteps`. */
const rowsOfWalk = 2_020;

/** Postgres' `plan_cache_mode`. */
export type PlanMode = "force_generic_plan" | "force_custom_plan";

/** Every list and look-up, with each of these statistics, in each of these modes. The tables are filled once. */
export function describeReads(combinations: {
  statistics: readonly StatisticsName[];
  modes: readonly PlanMode[];
}): void {
  describe(`on ${rows} rows, lists and look-ups read what they answer`, () => {
    let url: string;
    let database: PlatformDatabase;

    beforeAll(async () => {
      ({ url } = await createTestDatabase());
      database = openDatabase<Schema>({ url, queryTimeoutMs: 120_000 });
      await fill(database);
    }, 600_000);
    afterAll(() => database.close());

    describe.each(combinations.statistics)("%s", (name) => {
      beforeAll(async () => {
        await statistics[name](database.kysely);
      }, 300_000);

      describe.each(combinations.modes)("with %s:", (mode) => {
        describeCases(() => ({ url, mode }));
      });
    });
  });
}

async function fill({ kysely }: PlatformDatabase): Promise<void> {
  await partitionRows(kysely, rows);
  await stopAutovacuum(kysely);
  await insertRows(kysely, { from: 1, to: firstRows, last: rows });
  await sql`analyze`.execute(kysely);
  await withoutIndexes(kysely, () => insertRows(kysely, { from: firstRows + 1, to: rows, last: rows }));
}

function describeCases(placeOf: () => { url: string; mode: PlanMode }): void {
  let measured: MeasuredDatabase;
  beforeAll(async () => {
    const { url, mode } = placeOf();
    measured = await openMeasuredDatabase(url, mode);
    await firstAudit(createPlatform(measured.database, deps));
  });
  afterAll(() => measured.close());

  test.each(sources.flatMap((casesOf) => casesOf(rows)))("$name", async ({ ask, answers, looksAt, examines }) => {
    const { result, readings } = await measured.measure(() => ask(createPlatform(measured.database, deps)));
    expect(sizeOf(result)).toBe(answers);
    const blocks = readings.reduce((sum, reading) => sum + reading.blocks, 0);
    const plans = readings.map(({ statement, plan }) => `${statement}\n${plan}`).join("\n");
    const size = looksAt ?? answers ?? 0;
    expect(blocks, plans).toBeLessThanOrEqual(blocksPerRow * size + blocksPerStatement * readings.length);
    if (examines) {
      expect(mostRowsOfStep(plans), plans).toBeLessThanOrEqual(rowsOfWalk);
    }
  });
}

/** The most rows that any step of a plan returned or filtered out. */
function mostRowsOfStep(plans: string): number {
  const steps = plans.matchAll(/: (?<rows>[\d.]+) rows(?:, (?<removed>\d+) filtered out)?/g);
  return Math.max(
    ...Array.from(steps, ({ groups }) => Math.max(Number(groups?.["rows"]), Number(groups?.["removed"] ?? 0))),
  );
}

function sizeOf(result: unknown): number | null {
  if (result === undefined) {
    return null;
  }
  if (Array.isArray(result)) {
    return result.length;
  }
  if (typeof result === "object" && result !== null && "items" in result) {
    return sizeOf(result.items);
  }
  return result === null || result === false ? 0 : 1;
}
