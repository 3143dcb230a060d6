import { listPartitions, openDatabase, partitionName } from "@gateway/database";
import { startOfIds, timeOfId } from "@gateway/kernel";
import { createTestDatabase, patience } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { datedAudit } from "../../src/audit/index.ts";
import { createDatedPartitions } from "@gateway/engine/dated-tables";
import { datedEvents } from "../../src/events/index.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { datedRequests } from "../../src/request-log/index.ts";

let database: PlatformDatabase;
beforeAll(async () => {
  database = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
});
afterAll(() => database.close());

const groups = { audit: datedAudit, events: datedEvents, requests: datedRequests };

test.each(Object.entries(groups))(
  "the first partitions of %s, which the schema makes, are those that programs would have made",
  async (_, dated) => {
    for (const { table, prefix } of dated.tables) {
      const partitions = await listPartitions(database.kysely, table);
      const endMs = timeOfId(partitions[0]?.end ?? "");
      const end = startOfIds(prefix, endMs);
      expect(endMs % dated.spanMs).toBe(0);
      expect(partitions).toEqual([{ name: partitionName(table, endMs), end, state: "attached" }]);
      // The span before the last already has partitions for now and for the next one.
      await createDatedPartitions(database.kysely, dated, endMs - 1.5 * dated.spanMs);
      expect(await listPartitions(database.kysely, table)).toHaveLength(1);
    }
  },
);
