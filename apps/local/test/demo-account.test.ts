import { openDatabase, type Database } from "@gateway/database";
import { systemClock } from "@gateway/kernel";
import { hashApiKeySecret } from "@gateway/platform";
import { createTestDatabase } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoAccount } from "../src/demo-account.ts";

let database: Database;

beforeAll(async () => {
  database = openDatabase({ url: (await createTestDatabase()).url });
});
afterAll(() => database.close());

test("the demo account is made once, with an admin key whose secret is told only then", async () => {
  const secret = await createDemoAccount(database, systemClock);
  expect(secret).toMatch(/^gk_test_/);
  expect(await createDemoAccount(database, systemClock)).toBeNull();
  const keys = await database.kysely.selectFrom("api_keys").selectAll().execute();
  expect(keys).toEqual([expect.objectContaining({ permission: "admin", secret_hash: hashApiKeySecret(secret ?? "") })]);
  expect(JSON.stringify(keys)).not.toContain(secret?.slice(8, 40));
});
