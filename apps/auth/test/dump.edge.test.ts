import { createCipher } from "@gateway/kernel";
import { beforeAll, describe, expect, test } from "vitest";
import { dumpTables, formsOf } from "./support/dump-tables.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

describe("a copy of the database", () => {
  const auth = useAuth();
  /** The secrets that clients hold at the time of the copy. */
  const held: Record<string, string> = {};
  let dump: string;

  beforeAll(async () => {
    const person = await auth.createPerson();
    const client = createOauthClient(auth, await auth.createApplication(person.account));
    const { browser, ...used } = await client.authorize(person);
    const tokens = await client.exchange({ ...used, browser });
    const refreshed = await client.refresh(tokens.json.refresh_token);
    const unused = await client.authorize(person, { browser });
    const firstKey = `/account/first-key/${person.account.id}`;
    const { html } = await browser.fill(firstKey);
    const interaction = await (await auth.openBrowser()).open(client.authorizeUrl());
    const [key] = await auth.platform.auth.signingKeys.load();
    Object.assign(held, {
      usedCode: used.code,
      unusedCode: unused.code,
      verifier: used.verifier,
      refreshToken: tokens.json.refresh_token,
      newestRefreshToken: refreshed.json.refresh_token,
      accessToken: refreshed.json.access_token,
      idToken: tokens.json.id_token ?? "",
      password: person.password,
      firstKey: auth.watch.note(/<code>(gk_test_\w+)<\/code>/.exec(html)?.[1] ?? ""),
      interaction: new URL(interaction.url).pathname.split("/")[2] ?? "",
      mailedLink: await auth.platform.auth.mailLinks.create({
        purpose: "sign_up",
        email: "new@example.com",
        personId: null,
      }),
      signingKey: key?.privateJwk.d ?? "",
      signingPrime: key?.privateJwk.p ?? "",
      encryptionKey: auth.encryptionKey.toString("base64"),
    });
    [...browser.cookies].forEach(([name, value]) => (held[`cookie ${name}`] = value));
    dump = await dumpTables(auth);
  });

  test("there is much in it, of every kind", () => {
    for (const table of [
      "oidc_records",
      "refresh_answers",
      "signing_keys",
      "sessions",
      "mail_links",
      "users",
      "grants",
    ]) {
      expect(dump).toContain(`${table} {`);
    }
    expect(Object.keys(held).length).toBeGreaterThanOrEqual(15);
    expect(Object.entries(held).filter(([, value]) => value.length < 16)).toEqual([]);
  });

  test("holds no code, token, cookie, password, link or private key, plain or encoded", () => {
    const found = Object.entries(held).filter(([, value]) => formsOf(value).some((form) => dump.includes(form)));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  test("with our encryption keys beside it, still opens no answer to a refresh, and so no live refresh token", async () => {
    const cipher = createCipher([auth.encryptionKey]);
    const answers = await auth.database.kysely.selectFrom("refresh_answers").select("answer").execute();
    expect(answers.length).toBeGreaterThan(0);
    answers.forEach(({ answer }) => expect(() => cipher.open(answer, "refresh answer")).toThrow());
    const records = await auth.database.kysely.selectFrom("oidc_records").selectAll().execute();
    const opened = records.map(({ model, name_hash: name, payload }) =>
      cipher.open(payload, `oidc ${model} ${name.toString("hex")}`).toString(),
    );
    expect(opened.length).toBe(records.length);
    const tokens = [held["refreshToken"], held["newestRefreshToken"], held["usedCode"], held["unusedCode"]].map(String);
    expect(tokens.filter((token) => opened.some((payload) => payload.includes(token)))).toEqual([]);
  });

  test("a sealed record in another's place opens nothing", async () => {
    const { kysely } = auth.database;
    const [one, other] = await kysely
      .selectFrom("oidc_records")
      .selectAll()
      .where("model", "=", "RefreshToken")
      .limit(2)
      .execute();
    const cipher = createCipher([auth.encryptionKey]);
    expect(() =>
      cipher.open(one?.payload ?? Buffer.alloc(0), `oidc RefreshToken ${other?.name_hash.toString("hex")}`),
    ).toThrow();
  });
});
