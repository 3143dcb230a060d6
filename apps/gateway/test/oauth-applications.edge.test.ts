import type { Schemas } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { createTestClock, digestDatabase, type TestClock, waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, startTestIssuer, type TestIssuer } from "./support/test-issuer.ts";

type Application = Schemas["OauthApplication"];

const path = "/api/v1/oauth-applications";
const sample = { name: "Expense reports", redirectUris: ["https://app.example.com/callback"] };
const invalid = (...fields: string[]): object => ({
  status: 400,
  json: {
    error: { code: "INVALID_REQUEST", details: fields.map((field) => ({ field, issue: expect.any(String) })) },
  },
});
const ourDocs = "https://docs.pay.example";
const ourConsole = "https://console.pay.example";
const notFound = { status: 404, json: { error: { code: "NOT_FOUND" } } };

describe("OAuth applications", () => {
  let issuer: TestIssuer;
  let gateway: TestGateway;
  let clock: TestClock;
  let account: Account;
  let key: string;

  beforeAll(async () => {
    clock = createTestClock(Date.UTC(2026, 2, 9, 12));
    issuer = await startTestIssuer();
    gateway = await startTestGateway({ clock, issuer, env: { DOCS_URL: `${ourDocs}/guides/` } });
  });
  // The number of applications of an account is limited.
  beforeEach(async () => {
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
  });
  afterAll(async () => {
    await gateway.stop();
    await issuer.stop();
  });

  const create = (body: object): Promise<Answer> => gateway.call({ method: "POST", target: path, key, body });
  const created = async (body: object = sample): Promise<Application> => dataOf<Application>(await create(body), 201);
  const update = (id: string, body: object): Promise<Answer> =>
    gateway.call({ method: "PATCH", target: `${path}/${id}`, key, body });
  const read = async (id: string): Promise<Answer> => gateway.call({ target: `${path}/${id}`, key });
  const remove = (id: string): Promise<Answer> => gateway.call({ method: "DELETE", target: `${path}/${id}`, key });

  test("no application is at an origin of ours, configured or the console's, when it is registered and when it changes", async () => {
    await gateway.platform.accounts.oauthApplications.registerConsole({ redirectUri: `${ourConsole}/callback` });
    const application = await created();
    const { authUrl, apiUrl } = issuer.authProvider;
    for (const origin of [authUrl, apiUrl, ourDocs, ourConsole]) {
      const changes = { redirectUris: ["https://app.example.com/callback", `${origin}/elsewhere`] };
      expect(await create({ ...sample, ...changes })).toMatchObject(invalid("redirectUris.1"));
      expect(await update(application.id, changes)).toMatchObject(invalid("redirectUris.1"));
    }
    const shown = { websiteUrl: `${ourDocs}/`, logoUri: `${ourConsole}/logo.svg` };
    expect(await create({ ...sample, ...shown })).toMatchObject(invalid("logoUri", "websiteUrl"));
    expect(await update(application.id, shown)).toMatchObject(invalid("logoUri", "websiteUrl"));
    expect(dataOf(await read(application.id), 200)).toEqual(application);
    await created({ ...sample, redirectUris: ["https://docs.pay.example.com/", "https://docs.pay.example:8443/"] });
  });

  test("an application reads back as it was registered, alone and in the list, and has no secret", async () => {
    const body = {
      name: "Bücher 📚",
      redirectUris: ["https://app.example.com/callback?x=1", "http://127.0.0.1:8400/", "http://[::1]/"],
      scopes: ["admin", "openid"],
      logoUri: "https://cdn.example.com/logo.svg?v=2",
      websiteUrl: "https://example.com/",
    };
    const application = await created(body);
    expect(application).toEqual({
      id: expect.stringMatching(/^app_/),
      ...body,
      createdAt: "2026-03-09T12:00:00.000Z",
      peopleCount: 0,
      lastUsedAt: null,
      createdBy: { type: "apiKey", id: expect.stringMatching(/^key_/), applicationId: null },
    });
    expect(dataOf(await read(application.id))).toEqual(application);
    expect(dataOf(await gateway.call({ target: path, key }))).toEqual([application]);
  });

  test("without scopes it is registered for the user's auth and for reading", async () => {
    expect((await created()).scopes).toEqual(["openid", "email", "profile", "read"]);
  });

  test("an update changes what it names and nothing else", async () => {
    const application = await created();
    const steps = [
      { name: "Expenses" },
      { redirectUris: ["https://other.example.com/", "http://localhost:3000/"] },
      { scopes: ["write"] },
      { logoUri: "https://example.com/logo.png", websiteUrl: "https://example.com/about" },
      { logoUri: null },
      { websiteUrl: null },
    ];
    let expected: object = application;
    for (const step of steps) {
      expected = { ...expected, ...step };
      expect(dataOf(await update(application.id, step))).toEqual(expected);
    }
    expect(dataOf(await read(application.id))).toEqual(expected);
  });

  test("a deleted application is answered as it was, and is then like one that never was", async () => {
    const application = await created();
    expect(dataOf(await remove(application.id))).toEqual(application);
    expect(await read(application.id)).toMatchObject(notFound);
    expect(await update(application.id, { name: "Back" })).toMatchObject(notFound);
    expect(await remove(application.id)).toMatchObject(notFound);
    expect(dataOf(await gateway.call({ target: path, key }))).toEqual([]);
    expect(await gateway.platform.accounts.oauthApplications.findClient(application.id)).toBeNull();
  });

  test("pages hold every application of the account once, newest first, and no deleted one", async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await created()).id);
    }
    await remove(made[2] ?? "");
    const first = await gateway.call({ target: `${path}?limit=3`, key });
    const { data, meta } = first.json as { data: Application[]; meta: { nextCursor: string } };
    const rest = await gateway.call({ target: `${path}?limit=3&cursor=${meta.nextCursor}`, key });
    expect([...data, ...dataOf<Application[]>(rest)].map(({ id }) => id)).toEqual(made.toSpliced(2, 1));
    expect(await gateway.call({ target: `/api/v1/people?cursor=${meta.nextCursor}`, key })).toMatchObject(
      invalid("cursor"),
    );
  });

  test.each<[object, ...string[]]>([
    [{ redirectUris: [] }, "redirectUris"],
    [{ redirectUris: Array.from({ length: 11 }, (_, index) => `https://app.example.com/${index}`) }, "redirectUris"],
    [{ redirectUris: ["https://app.example.com/", "https://app.example.com/"] }, "redirectUris"],
    [{ redirectUris: "https://app.example.com/" }, "redirectUris"],
    [{ redirectUris: ["javascript:alert(1)"] }, "redirectUris.0"],
    [{ redirectUris: ["com.example.app:/callback"] }, "redirectUris.0"],
    [{ redirectUris: ["https://app.example.com/", "http://app.example.com/"] }, "redirectUris.1"],
    [{ redirectUris: ["https://app.example.com", "https://b.example.com/#x"] }, "redirectUris.0", "redirectUris.1"],
    [{ redirectUris: [`https://app.example.com/${"a".repeat(2001 - 24)}`] }, "redirectUris.0"],
    [{ redirectUris: ["https://app.example.com/\u0000"] }, "redirectUris.0"],
    [{ redirectUris: [null] }, "redirectUris.0"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["read", "read"] }, "scopes"],
    [{ scopes: ["openid", "root"] }, "scopes.1"],
    [{ scopes: "read" }, "scopes"],
    [{ name: "" }, "name"],
    [{ name: "Gateway\u202e" }, "name"],
    [{ name: "Gate\u200bway" }, "name"],
    [{ name: "\u3164" }, "name"],
    [{ clientSecret: "mine" }, "clientSecret"],
    [{ logoUri: "http://app.example.com/logo.png" }, "logoUri"],
    [{ logoUri: "http://localhost/logo.png" }, "logoUri"],
    [{ logoUri: "https://localhost/logo.png" }, "logoUri"],
    [{ logoUri: "https://192.168.1.1/reboot" }, "logoUri"],
    [{ logoUri: "https://intranet/logo.png", websiteUrl: "https://wiki.internal/" }, "logoUri", "websiteUrl"],
    [{ websiteUrl: "https://Example.com" }, "websiteUrl"],
    [{ websiteUrl: "https://ada@example.com/" }, "websiteUrl"],
    [{ websiteUrl: "javascript:alert(1)" }, "websiteUrl"],
    [{ websiteUrl: `https://example.com/${"a".repeat(2001 - 20)}` }, "websiteUrl"],
  ])(
    "400 that names the field, for a new one and for a change, and nothing is stored: %j",
    async (change, ...fields) => {
      const application = await created();
      const before = await digestDatabase(gateway.database);
      expect(await create({ ...sample, ...change })).toMatchObject(invalid(...fields));
      expect(await update(application.id, change)).toMatchObject(invalid(...fields));
      expect(await digestDatabase(gateway.database)).toEqual(before);
    },
  );

  test("10 redirect URIs of 2000 characters are taken", async () => {
    const redirectUris = Array.from({ length: 10 }, (_, index) => `https://app.example.com/${index}`.padEnd(2000, "a"));
    expect((await created({ ...sample, redirectUris })).redirectUris).toEqual(redirectUris);
  });

  test("a redirect URI in another form than browsers write it is refused with the form to use", async () => {
    expect(await create({ ...sample, redirectUris: ["https://App.example.com:443/a/../b"] })).toMatchObject({
      json: { error: { message: "The field redirectUris.0 must be written as https://app.example.com/b." } },
    });
  });

  test("an account has at most 50, also when several are registered at once; a deleted one makes room", async () => {
    const refused = { status: 409, json: { error: { code: "OAUTH_APPLICATION_LIMIT_REACHED" } } };
    const made: Application[] = [];
    for (let index = 0; index < 47; index += 1) {
      made.push(await created());
    }
    for (const { id } of [await created(), ...made.slice(0, 3)]) {
      await remove(id);
      const raced = await Promise.all(Array.from({ length: 8 }, () => create(sample)));
      const taken = raced.filter(({ status }) => status === 201).map((answer) => dataOf<Application>(answer, 201));
      expect(await gateway.call({ target: `${path}?limit=100`, key })).toMatchObject({
        json: { data: { length: 50 } },
      });
      expect(raced.filter(({ status }) => status === 409)).toHaveLength(8 - taken.length);
      expect(await create(sample)).toMatchObject(refused);
      await Promise.all(taken.slice(1).map((application) => remove(application.id)));
    }
  });

  describe("with tokens", () => {
    const accountStatus = async (token: string): Promise<number> =>
      (await gateway.call({ target: "/api/v1/account", headers: bearer(token) })).status;

    test("deleting it ends its grants of every account, and its tokens with them", async () => {
      const own = await createTestGrant(gateway, account);
      const theirs = await createTestGrant(gateway, await gateway.createAccount());
      const token = await mintToken(issuer, own, { nowMs: clock.now() });
      const theirToken = await mintToken(issuer, theirs, { nowMs: clock.now() });
      expect([await accountStatus(token), await accountStatus(theirToken)]).toEqual([200, 200]);
      dataOf(await remove(own.applicationId));
      const grants = await gateway.database.kysely
        .selectFrom("grants")
        .select(["id", "revoked_at"])
        .where("id", "in", [own.grantId, theirs.grantId])
        .execute();
      expect(new Map(grants.map(({ id, revoked_at: at }) => [id, at]))).toEqual(
        new Map([
          [own.grantId, new Date(clock.now())],
          [theirs.grantId, null],
        ]),
      );
      await waitFor(async () => (await accountStatus(token)) === 401);
      expect(await accountStatus(theirToken)).toBe(200);
    });

    test("fewer scopes hold for the tokens that there are, and more do not make them greater", async () => {
      const grant = await createTestGrant(gateway, account, { applicationScopes: ["openid", "write"] });
      const token = await mintToken(issuer, grant, { nowMs: clock.now(), scope: "write" });
      const statuses = async (): Promise<number[]> => {
        const call = (method: string, target: string, body?: object): Promise<Answer> =>
          gateway.call({ method, target, headers: bearer(token), ...(body && { body }) });
        const answers = [
          await call("GET", "/api/v1/wallets"),
          await call("POST", "/api/v1/wallets", { name: "W", currency: "EUR" }),
          await call("GET", path),
        ];
        return answers.map(({ status }) => status);
      };
      const become = (expected: number[]): Promise<unknown> =>
        waitFor(async () => (await statuses()).join() === expected.join());
      expect(await statuses()).toEqual([200, 201, 403]);
      dataOf(await update(grant.applicationId, { scopes: ["openid", "read"] }));
      await become([200, 403, 403]);
      dataOf(await update(grant.applicationId, { scopes: ["openid"] }));
      await become([403, 403, 403]);
      dataOf(await update(grant.applicationId, { scopes: ["openid", "admin"] }));
      await become([200, 201, 403]);
    });
  });

  describe("as the identity provider sees them", () => {
    test("a client is found by its id, with what it is registered for, and no text makes the look-up fail", async () => {
      const {
        createdAt: _at,
        createdBy: _by,
        peopleCount: _count,
        lastUsedAt: _used,
        ...application
      } = await created();
      const { oauthApplications: applications } = gateway.platform.accounts;
      expect(await applications.findClient(application.id)).toMatchObject({ ...application, accountId: account.id });
      for (const text of ["", "nobody", "app_\u0000", "\ud800", application.id.toUpperCase(), `${application.id} `]) {
        expect(await applications.findClient(text)).toBeNull();
      }
    });

    test("an origin is known while an application has a redirect URI there", async () => {
      const { oauthApplications: applications } = gateway.platform.accounts;
      const origins = ["https://one.example.com", "https://one.example.com:8443", "http://127.0.0.1:8499"];
      const known = async (): Promise<boolean[]> =>
        Promise.all(origins.map((origin) => applications.hasOrigin(origin)));
      expect(await known()).toEqual([false, false, false]);
      const redirectUris = ["https://one.example.com/a", "https://one.example.com:8443/b"];
      const { id } = await created({ ...sample, redirectUris });
      expect(await known()).toEqual([true, true, false]);
      for (const near of ["https://one.example.com/", "http://one.example.com", "https://example.com", "null", ""]) {
        expect(await applications.hasOrigin(near)).toBe(false);
      }
      await update(id, { redirectUris: ["http://127.0.0.1:8499/a"] });
      expect(await known()).toEqual([false, false, true]);
      await remove(id);
      expect(await known()).toEqual([false, false, false]);
    });
  });
});

/** The `data` of an answer with the status that was expected. */
function dataOf<Data = unknown>(answer: Answer, status = 200): Data {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  // The gateway has held the answer against the document, for it is in the sandbox.
  return (answer.json as { data: Data }).data;
}
