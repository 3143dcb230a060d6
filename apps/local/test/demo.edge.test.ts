import { openDatabase } from "@gateway/database";
import { hashApiKeySecret } from "@gateway/platform/accounts";
import { exportAccount } from "@gateway/platform/acts/export-account";
import { createPlatform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createPasswordHasher } from "@gateway/auth/passwords";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createTestDatabase, patience } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemo } from "../src/demo.ts";

const deps = { clock: systemClock, cipher: createCipher([randomBytes(32)]) };

let database: PlatformDatabase;

beforeAll(async () => {
  database = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
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

  const users = await database.kysely.selectFrom("users").selectAll().orderBy("id").execute();
  for (const { password_hash: hash } of users) {
    expect(await createPasswordHasher().verify(hash, demo?.password ?? "")).toBe(true);
  }
  const people = await database.kysely.selectFrom("people").selectAll().orderBy("id").execute();
  const owner = { role: "owner", joined_at: expect.any(Date) };
  expect(people).toEqual([
    expect.objectContaining({ ...owner, user_id: users[0]?.id, email: demo?.email }),
    expect.objectContaining({ ...owner, user_id: users[1]?.id, email: demo?.otherEmail }),
  ]);
  const applications = await database.kysely.selectFrom("oauth_applications").selectAll().execute();
  expect(applications).toEqual([expect.objectContaining({ id: demo?.applicationId })]);
});

test("all of it is exported by a process that has no ports, as the identity provider is", async () => {
  const cursors = createCursorCodec(deps.cipher.deriveKey("cursors"));
  const platform = createPlatform(database, { ...deps, cursors, livemode: false });
  const account = (await platform.accounts.listAll())[0];
  expect(account).toBeDefined();
  let text = "";
  for await (const chunk of account ? exportAccount(platform, { account, livemode: false, clock: systemClock }) : []) {
    text += chunk;
  }
  const exported = JSON.parse(text) as Record<string, unknown[]>;
  // The last list is behind the valuations, which are of money.
  expect(Object.keys(exported).at(-1)).toBe("requestLogs");
  expect([exported["wallets"]?.length, exported["orders"]?.length]).toEqual([4, 2]);
});

test("its money is in the books, and of each service something is there: done, under way, or waiting for somebody", async () => {
  const wallets = await database.kysely.selectFrom("wallets").selectAll().orderBy("id").execute();
  expect(wallets.map(({ currency, available, pending, held }) => ({ currency, available, pending, held }))).toEqual([
    { currency: "EUR", available: 2_500_000, pending: 0, held: 0 },
    { currency: "USD", available: 5_000_000, pending: 0, held: 50_100 },
    { currency: "BTC", available: 72_498_000, pending: 5_000_000, held: 2_502_000 },
    { currency: "USDC", available: 10_000_000_000, pending: 0, held: 0 },
  ]);
  const rows = {
    verifications: await database.kysely.selectFrom("kyc_verifications").select(["id", "status"]).execute(),
    counterparties: await database.kysely.selectFrom("counterparties").select("kyc_verification_id").execute(),
    payments: await database.kysely.selectFrom("payments").select("status").execute(),
    deposits: await database.kysely.selectFrom("deposits").select("status").execute(),
    transfers: await database.kysely.selectFrom("transfers").select("status").execute(),
    approvals: await database.kysely.selectFrom("approvals").select("status").execute(),
    orders: await database.kysely.selectFrom("orders").select("status").orderBy("id").execute(),
  };
  expect(rows).toEqual({
    verifications: [{ id: expect.any(String), status: "verified" }],
    counterparties: [{ kyc_verification_id: rows.verifications[0]?.id }],
    payments: [{ status: "settled" }],
    deposits: [{ status: "detected" }],
    transfers: [{ status: "initiated" }],
    approvals: [{ status: "requested" }],
    orders: [{ status: "filled" }, { status: "accepted" }],
  });
});
