import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresMachine, findDebianPostgres, type PostgresMachine } from "./support/debian-postgres.ts";
import { crashOften, promoteOften, restoreOnce } from "./support/following-crash-cases.ts";

const programs = findDebianPostgres();

/** More of them at night. */
describe.skipIf(programs === null)("who follows events", () => {
  let machine: PostgresMachine;

  beforeAll(async () => {
    machine = await createPostgresMachine(programs ?? "", []);
  });
  afterAll(() => machine?.end());

  test("is told each once, and misses none, when Postgres is killed ten times", async () => {
    const { told, kept } = await crashOften(machine, { crashes: 10, writers: 16, seed: 27 });
    expect(told.toSorted()).toEqual(kept.toSorted());
    expect(kept.length).toBeGreaterThan(100);
  });

  test("misses none when standbys take over, and is told each once by each server", async () => {
    const { missed, repeated, kept } = await promoteOften(machine, { promotions: 2, writers: 16, seed: 28 });
    expect({ missed, repeated }).toEqual({ missed: [], repeated: [] });
    expect(kept.length).toBeGreaterThan(20);
  });

  test("misses none when an older base backup is started in the place of the server", async () => {
    const { missed, repeated } = await restoreOnce(machine, { writers: 16, seed: 29 });
    expect({ missed, repeated }).toEqual({ missed: [], repeated: [] });
  });
});
