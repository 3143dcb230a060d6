import { chooseSeed, recordSeed } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresMachine, findDebianPostgres, type PostgresMachine } from "./support/debian-postgres.ts";
import { crashOften, promoteOften } from "./support/following-crash-cases.ts";

const programs = findDebianPostgres();
const timeoutMs = 30 * 60_000;

describe.skipIf(programs === null)("who follows events of 64 writers", () => {
  let machine: PostgresMachine;

  beforeAll(async () => {
    machine = await createPostgresMachine(programs ?? "", []);
  });
  afterAll(() => machine?.end());

  test(
    "is told each once, and misses none, when Postgres is killed 200 times",
    async () => {
      const seed = chooseSeed();
      recordSeed(seed);
      const { told, kept } = await crashOften(machine, { crashes: 200, writers: 64, seed });
      expect(told.toSorted()).toEqual(kept.toSorted());
    },
    timeoutMs,
  );

  test(
    "misses none when standbys take over 20 times, and is told each once by each server",
    async () => {
      const seed = chooseSeed();
      recordSeed(seed);
      const { missed, repeated } = await promoteOften(machine, { promotions: 20, writers: 64, seed });
      expect({ missed, repeated }).toEqual({ missed: [], repeated: [] });
    },
    timeoutMs,
  );
});
