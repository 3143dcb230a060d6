import { migrate, openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { migrations } from "@gateway/schema";
import { createTestDatabase, patience } from "@gateway/testkit";
import fc from "fast-check";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldEmail, isEmailAddress } from "../src/auth/index.ts";
import { createPlatform, type Platform } from "../src/compose/platform.ts";
import type { Schema } from "../src/compose/schema.ts";

test.each([
  ["grace@example.com", true],
  ["Grace.Hopper+navy@EXAMPLE.co.uk", true],
  ["a@xn--bcher-kva.example", true],
  ["grace", false],
  ["grace@example", false],
  ["grace@example..com", false],
  ["grace hopper@example.com", false],
  ["İnfo@example.com", false],
  ["grace@bücher.example", false],
  ["grace@example.com\n", false],
  [`${"x".repeat(65)}@example.com`, false],
  [`grace@${"x.".repeat(130)}com`, false],
])("%j is an address for a new user: %s", (text, is) => {
  expect(isEmailAddress(text)).toBe(is);
});

/** Databases that lower case differently: by code point, as in Turkish, as in English. */
describe.each([
  ["built in", "locale_provider builtin builtin_locale 'C.UTF-8'"],
  ["C", "locale_provider libc locale 'C'"],
  ["Turkish", "locale_provider icu icu_locale 'tr-TR' locale 'C'"],
  ["English", "locale_provider icu icu_locale 'en-US' locale 'C'"],
])("on a database whose locale is %s", (_name, locale) => {
  let url: string;
  let db: pg.Client;
  let platform: Platform;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ url } = await createTestDatabase({ locale }));
    await migrate(url, migrations);
    db = new pg.Client(url);
    await db.connect();
    for (const [id, email] of known) {
      await db.query("insert into users (id, email, name, created_at) values ($1, $2, '', now())", [id, email]);
    }
    const database = openDatabase<Schema>({ url, ...patience });
    close = () => database.close();
    const cipher = createCipher([randomBytes(32)]);
    const cursors = createCursorCodec(randomBytes(32));
    platform = createPlatform(database, { clock: systemClock, cipher, cursors, livemode: false });
  });
  afterAll(async () => {
    await db.end();
    await close();
  });

  const known = [
    ["usr_1", "Info@Example.com"],
    ["usr_2", "İzmir@example.com"],
    ["usr_3", "Ünal@example.com"],
  ] as const;
  const idOf = async (email: string) => (await platform.auth.users.findByEmail(email))?.id ?? null;

  test("users are found in every spelling of their address, and letters beyond ASCII have one", async () => {
    expect(await idOf("INFO@EXAMPLE.COM")).toBe("usr_1");
    expect(await idOf("İZMIR@example.com")).toBe("usr_2");
    expect(await idOf("i̇zmir@example.com")).toBeNull();
    expect(await idOf("Ünal@EXAMPLE.com")).toBe("usr_3");
  });

  test("the database folds what it keeps as we fold what we ask for", async () => {
    const text = fc.string({ unit: fc.constantFrom(..."aAzZiIıİßẞÅåσςΣKkſ@.-_İ\u0307".split("")), minLength: 1 });
    const texts = fc.sample(fc.oneof(text, fc.string({ unit: "grapheme" })), 500).filter((one) => !one.includes("\0"));
    const { rows } = await db.query<{ folded: string }>("select fold_email(t) as folded from unnest($1::text[]) t", [
      texts,
    ]);
    expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldEmail));
  });

  test("a spelling is no second user, account or person, and mailed links end in all spellings", async () => {
    const { accounts, auth } = platform;
    const email = "ISIK@example.com";
    const user = { name: "I", passwordHash: "none" };
    const created = await auth.users.create({ ...user, email });
    expect(await auth.users.create({ ...user, email: foldEmail(email) })).toBeNull();
    expect(await idOf("Isik@Example.com")).toBe(created?.id);
    const tier = { tier: "explorer", requestsPerMinute: null } as const;
    const account = await accounts.create({ ...tier, email });
    expect(await accounts.create({ ...tier, email: "isik@example.com" })).toBeNull();
    expect((await accounts.findByEmail("iSiK@example.com"))?.id).toBe(account?.id);
    const accountId = account?.id ?? "";
    await platform.transaction((services) => services.accounts.people.invite({ accountId, email, role: "viewer" }));
    const again = { accountId, email: "isik@example.com", role: "viewer" } as const;
    await expect(platform.transaction((services) => services.accounts.people.invite(again))).rejects.toMatchObject({
      code: "PERSON_EXISTS",
    });
    const owner = await platform.transaction((services) =>
      services.accounts.people.createOwner({ accountId, userId: created?.id ?? "", email: "isik@EXAMPLE.com" }),
    );
    expect(owner).toMatchObject({ email, role: "owner" });
    const secret = await auth.mailLinks.create({ purpose: "sign_up", email, personId: null });
    await auth.mailLinks.revoke({ email: "isik@example.com", purpose: "sign_up" });
    expect(await auth.mailLinks.find(secret, "sign_up")).toBeNull();
  });
});
