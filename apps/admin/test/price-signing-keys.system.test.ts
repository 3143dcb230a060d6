import { openDatabase } from "@gateway/database";
import { createPlatform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createTestDatabase, startScript, patience } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

type Run = { code: number | null; stdout: string; stderr: string };
type Row = { id: string; createdAt: string; retiredAt: string | null };

const encryptionKey = randomBytes(32);
let database: PlatformDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  database = openDatabase<Schema>({ url, maxConnections: 1, ...patience });
  env = { DATABASE_URL: url, ENCRYPTION_KEYS: encryptionKey.toString("base64") };
  const cipher = createCipher([encryptionKey]);
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  const platform = createPlatform(database, { clock: systemClock, cipher, cursors, livemode: false });
  await platform.transaction(({ oracle }) => oracle.signingKeys.roll());
});
afterAll(() => database.close());

const run = async (args: readonly string[], overrides: Record<string, string> = {}): Promise<Run> => {
  const words = ["price-signing-keys", ...args];
  const program = startScript("apps/admin/src/main.ts", words, { env: { ...env, ...overrides } });
  return { code: await program.exited, stdout: program.stdout(), stderr: program.stderr() };
};
const list = async (): Promise<Row[]> => JSON.parse((await run(["list", "--json"])).stdout) as Row[];

test("a roll makes the key that signs; the one before stays listed, and an operator is told to have done it", async () => {
  const [old] = await list();
  expect(old).toMatchObject({ retiredAt: null });
  const { code, stdout } = await run(["roll", "--json"]);
  expect(code).toBe(0);
  const rolled = JSON.parse(stdout) as Row;
  expect(await list()).toEqual([rolled, { ...old, retiredAt: rolled.createdAt }]);
  const told = database.kysely.selectFrom("audit_events").select("actor_type").where("resource_id", "=", rolled.id);
  expect(await told.execute()).toEqual([{ actor_type: "operator" }]);
});

test("nothing is rolled without the encryption keys of the one before, and nothing private is printed", async () => {
  const before = await list();
  const missing = await run(["roll"], { ENCRYPTION_KEYS: "" });
  expect(missing).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("ENCRYPTION_KEYS is needed") });
  const wrong = await run(["roll"], { ENCRYPTION_KEYS: randomBytes(32).toString("base64") });
  expect(wrong).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("ENCRYPTION_KEYS does not hold"),
  });
  expect(await list()).toEqual(before);
  expect((await run(["list"])).stdout).not.toMatch(/"d"|private/i);
});
