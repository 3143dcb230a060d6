import { openDatabase } from "@gateway/database";
import { createPlatform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createTestDatabase, startScript, patience } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

type Run = { code: number | null; stdout: string; stderr: string };
type Row = { id: string; signs?: boolean; signsFrom: string; retiresAt: string | null };

describe("signing keys by command", () => {
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
    await platform.transaction(({ auth }) => auth.signingKeys.ensure());
  });
  afterAll(() => database.close());

  const run = async (args: readonly string[], overrides: Record<string, string> = {}): Promise<Run> => {
    const program = startScript("apps/admin/src/main.ts", ["signing-keys", ...args], { env: { ...env, ...overrides } });
    return { code: await program.exited, stdout: program.stdout(), stderr: program.stderr() };
  };
  const list = async (): Promise<Row[]> => JSON.parse((await run(["list", "--json"])).stdout) as Row[];

  test("a roll makes a key that signs in 15 minutes, and the old one signs until then", async () => {
    const [old] = await list();
    expect(old).toMatchObject({ signs: true, retiresAt: null });
    const { code, stdout } = await run(["roll", "--json"]);
    expect(code).toBe(0);
    const rolled = JSON.parse(stdout) as Row;
    const { created_at: createdAt } = await database.kysely
      .selectFrom("signing_keys")
      .select("created_at")
      .where("id", "=", rolled.id)
      .executeTakeFirstOrThrow();
    expect(Date.parse(rolled.signsFrom) - createdAt.getTime()).toBe(15 * 60_000);
    expect((await list()).map(({ id, signs }) => ({ id, signs }))).toEqual([
      { id: rolled.id, signs: false },
      { id: old?.id, signs: true },
    ]);
  });

  test("--immediately leaves the new key alone", async () => {
    const { stdout } = await run(["roll", "--immediately", "--json"]);
    const { id } = JSON.parse(stdout) as Row;
    expect((await list()).map((key) => ({ id: key.id, signs: key.signs }))).toEqual([{ id, signs: true }]);
  });

  test("nothing is rolled without the encryption keys of the others, and nothing private is printed", async () => {
    const before = await list();
    const missing = await run(["roll"], { ENCRYPTION_KEYS: "" });
    expect(missing).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("ENCRYPTION_KEYS is needed"),
    });
    const wrong = await run(["roll"], { ENCRYPTION_KEYS: randomBytes(32).toString("base64") });
    expect(wrong).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("ENCRYPTION_KEYS does not hold"),
    });
    expect(await list()).toEqual(before);
    expect((await run(["list"])).stdout).not.toMatch(/"d"|private/i);
  });
});
