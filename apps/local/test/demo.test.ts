import { openDatabase } from "@gateway/database";
import { hashApiKeySecret, type PlatformDatabase, type Schema } from "@gateway/platform";
import { createPasswordHasher } from "@gateway/auth/passwords";
import { createCipher, systemClock } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemo } from "../src/demo.ts";

const deps = { clock: systemClock, cipher: createCipher([randomBytes(32)]) };

let database: PlatformDatabase;

beforeAll(async () => {
  database = openDatabase<Schema>({ url: (await createTestDatabase()).url });
});
afterAll(() => database.close());

test("the demo is made once, and its secrets are told only then", async () => {
  const demo = await createDemo(database, deps);
  expect(await createDemo(database, deps)).toBeNull();

  expect(demo?.key).toMatch(/^gk_test_/);
  const keys = await database.kysely.selectFrom("api_keys").selectAll().execute();
  expect(keys).toEqual([
    expect.objectContaining({ permission: "admin", secret_hash: hashApiKeySecret(demo?.key ?? "") }),
  ]);
  expect(JSON.stringify(keys)).not.toContain(demo?.key.slice(8, 40));

  const [user] = await database.kysely.selectFrom("users").selectAll().execute();
  expect(await createPasswordHasher().verify(user?.password_hash ?? null, demo?.password ?? "")).toBe(true);
  const people = await database.kysely.selectFrom("people").selectAll().execute();
  expect(people).toEqual([expect.objectContaining({ user_id: user?.id, role: "owner", email: demo?.email })]);
  const applications = await database.kysely.selectFrom("oauth_applications").selectAll().execute();
  expect(applications).toEqual([expect.objectContaining({ id: demo?.applicationId })]);
});
