import { claimDeployment } from "../../src/compose/claim-deployment.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { createTestDatabase, insertAccount, insertApiKey, patience } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase, transaction } from "@gateway/database";

let db: PlatformDatabase;

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
});

afterAll(() => db.close());

test("one e-mail address is one account, whatever its letter case", async () => {
  await insertAccount(db.kysely, "Ada@example.com");

  await expect(insertAccount(db.kysely, "aDA@EXAMPLE.com")).rejects.toMatchObject({ code: "23505" });
});

test("a database belongs to the environment that used it first", async () => {
  const encryptionKeys = null;
  await Promise.all([1, 2, 3].map(() => claimDeployment(db.kysely, { livemode: false, encryptionKeys })));

  await expect(claimDeployment(db.kysely, { livemode: true, encryptionKeys })).rejects.toThrow(
    "This database belongs to the sandbox gateway and was opened with LIVEMODE=true.",
  );
  await claimDeployment(db.kysely, { livemode: false, encryptionKeys });
});

describe("a database belongs to the encryption keys that it was opened with", () => {
  const [first, second, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const claim = (...encryptionKeys: Buffer[]): Promise<void> =>
    claimDeployment(db.kysely, { livemode: false, encryptionKeys });
  const refusal = "ENCRYPTION_KEYS does not hold the key that this database was last opened with";

  test("others are refused, also when many start at once, and a program without keys is not asked", async () => {
    await Promise.all([1, 2, 3].map(() => claim(first)));
    await expect(claim(other)).rejects.toThrow(refusal);
    await expect(claim(other, second)).rejects.toThrow(refusal);
    await claimDeployment(db.kysely, { livemode: false, encryptionKeys: null });
  });

  test("they are rotated by a new one in front; after that the old one may go, and alone it is refused", async () => {
    await claim(first);
    await claim(first, second);
    await claim(second, first);
    await claim(second);
    await expect(claim(first)).rejects.toThrow(refusal);
  });
});

test("a transaction that throws leaves nothing behind, the joined one inside it included", async () => {
  const email = "rolled-back@example.com";
  const failing = transaction(db.kysely, async (outer) => {
    await transaction<Schema, string>(outer, (inner) => insertAccount(inner, email));
    throw new Error("no");
  });

  await expect(failing).rejects.toThrow("no");
  expect(await db.kysely.selectFrom("accounts").select("id").where("email", "=", email).execute()).toEqual([]);
});

test("times come back as the same instant", async () => {
  const id = await insertApiKey(db.kysely, await insertAccount(db.kysely));
  const at = new Date("2026-07-01T12:34:56.789Z");
  await db.kysely.updateTable("api_keys").set({ revoked_at: at }).where("id", "=", id).execute();

  const row = await db.kysely.selectFrom("api_keys").select("revoked_at").where("id", "=", id).executeTakeFirst();
  expect(row).toEqual({ revoked_at: at });
});
