import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { useAdmin } from "./support/use-admin.ts";

type Row = { id: string; signs?: boolean; signsFrom: string; createdAt: string; retiredAt: string | null };

const admin = useAdmin();
beforeAll(() =>
  admin.platform.transaction(async ({ auth, oracle }) => {
    await auth.signingKeys.ensure();
    await oracle.signingKeys.roll();
  }),
);

const run = (...words: string[]) => admin.runWith({ ENCRYPTION_KEYS: admin.encryptionKeys }, ...words);
const list = async (command: string): Promise<Row[]> => JSON.parse((await run(command, "list", "--json")).stdout);
const roll = async (command: string, ...options: string[]): Promise<Row> => {
  const { code, stdout } = await run(command, "roll", ...options, "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

describe("signing keys by command", () => {
  const signing = async () => (await list("signing-keys")).map(({ id, signs }) => ({ id, signs }));

  test("a roll makes a key that signs in 15 minutes, and the old one signs until then", async () => {
    const [old] = await list("signing-keys");
    expect(old).toMatchObject({ signs: true, retiresAt: null });
    const rolled = await roll("signing-keys");
    const { created_at: createdAt } = await admin.database.kysely
      .selectFrom("signing_keys")
      .select("created_at")
      .where("id", "=", rolled.id)
      .executeTakeFirstOrThrow();
    expect(Date.parse(rolled.signsFrom) - createdAt.getTime()).toBe(15 * 60_000);
    expect(await signing()).toEqual([
      { id: rolled.id, signs: false },
      { id: old?.id, signs: true },
    ]);
  });

  test("--immediately leaves the new key alone", async () => {
    const { id } = await roll("signing-keys", "--immediately");
    expect(await signing()).toEqual([{ id, signs: true }]);
  });
});

test("a roll makes the key that signs prices; the one before stays listed, and an operator is told to have done it", async () => {
  const [old] = await list("price-signing-keys");
  expect(old).toMatchObject({ retiredAt: null });
  const rolled = await roll("price-signing-keys");
  expect(await list("price-signing-keys")).toEqual([rolled, { ...old, retiredAt: rolled.createdAt }]);
  const { kysely } = admin.database;
  const told = kysely.selectFrom("audit_events").select("actor_type").where("resource_id", "=", rolled.id);
  expect(await told.execute()).toEqual([{ actor_type: "operator" }]);
});

test.each(["signing-keys", "price-signing-keys"])(
  "nothing of the %s is rolled without the encryption keys of the others, and nothing private is printed",
  async (command) => {
    const before = await list(command);
    const refused = { code: 1, stdout: "" };
    expect(await admin.runWith({ ENCRYPTION_KEYS: "" }, command, "roll")).toMatchObject({
      ...refused,
      stderr: expect.stringContaining("ENCRYPTION_KEYS is needed"),
    });
    const foreign = randomBytes(32).toString("base64");
    expect(await admin.runWith({ ENCRYPTION_KEYS: foreign }, command, "roll")).toMatchObject({
      ...refused,
      stderr: expect.stringContaining("ENCRYPTION_KEYS does not hold"),
    });
    expect(await list(command)).toEqual(before);
    expect((await run(command, "list")).stdout).not.toMatch(/"d"|private/i);
  },
);
