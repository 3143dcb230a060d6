import type { Schemas } from "@gateway/contract";
import { createTestClock, digestDatabase, useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { atOnce, dataOf, invalid, refused } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type Application = Schemas["OauthApplication"];

const sample = { name: "Expense reports", redirectUris: ["https://app.example.com/callback"] };
const ourDocs = "https://docs.pay.example";
const ourConsole = "https://console.pay.example";

const clock = createTestClock(Date.UTC(2026, 2, 9, 12));
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer, env: { DOCS_URL: `${ourDocs}/guides/` } });
// The number of applications of an account is limited.
const client = useEach(() => createApiClient(gateway));

const create = (body: object): Promise<Answer> => client.call("POST", "/oauth-applications", body);
const created = async (body: object = sample): Promise<Application> => dataOf(await create(body), 201);
const update = (id: string, body: object) => client.call("PATCH", `/oauth-applications/${id}`, body);
const read = (id: string) => client.call("GET", `/oauth-applications/${id}`);
const remove = (id: string) => client.call("DELETE", `/oauth-applications/${id}`);
const list = (query = ""): Promise<Application[]> => client.get(`/oauth-applications${query}`);

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
  expect(dataOf(await read(application.id))).toEqual(application);
  await created({ ...sample, redirectUris: ["https://docs.pay.example.com/", "https://docs.pay.example:8443/"] });
});

test("an application reads back as it was registered, alone and in the list, and has no secret", async () => {
  const body = {
    name: "Bücher 📚",
    redirectUris: ["https://app.example.com/callback?x=1", "http://127.0.0.1:8400/", "http://[::1]/"],
    scopes: ["admin", "openid"],
    ...{ logoUri: "https://cdn.example.com/logo.svg?v=2", websiteUrl: "https://example.com/" },
  };
  const application = await created(body);
  expect(application).toEqual({
    ...{ id: expect.stringMatching(/^app_/), ...body, createdAt: "2026-03-09T12:00:00.000Z" },
    ...{ peopleCount: 0, lastUsedAt: null },
    createdBy: { type: "apiKey", id: client.keyId, applicationId: null },
  });
  expect(dataOf(await read(application.id))).toEqual(application);
  expect(await list()).toEqual([application]);
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
  const { id } = application;
  expect(dataOf(await remove(id))).toEqual(application);
  for (const answer of [await read(id), await update(id, { name: "Back" }), await remove(id)]) {
    expect(answer).toMatchObject(refused("NOT_FOUND"));
  }
  expect(await list()).toEqual([]);
  expect(await gateway.platform.accounts.oauthApplications.findClient(id)).toBeNull();
});

/** redirect-uri.test.ts of the platform covers URIs, hidden-characters.test.ts of the engine names. */
test.each<[object, ...string[]]>([
  [{ redirectUris: ["https://app.example.com", "https://b.example.com/#x"] }, "redirectUris.0", "redirectUris.1"],
  [{ redirectUris: ["https://app.example.com/", "http://app.example.com/"] }, "redirectUris.1"],
  [{ logoUri: "https://intranet/logo.png", websiteUrl: "https://wiki.internal/" }, "logoUri", "websiteUrl"],
  [{ name: "Gate\u200bway" }, "name"],
  [{ clientSecret: "mine" }, "clientSecret"],
])("400 that names the field, for a new one and for a change, and nothing is stored: %j", async (change, ...fields) => {
  const application = await created();
  const before = await digestDatabase(gateway.database);
  expect(await create({ ...sample, ...change })).toMatchObject(invalid(...fields));
  expect(await update(application.id, change)).toMatchObject(invalid(...fields));
  expect(await digestDatabase(gateway.database)).toEqual(before);
});

test("a redirect URI in another form than browsers write it is refused with the form to use", async () => {
  const { text } = await create({ ...sample, redirectUris: ["https://App.example.com:443/a/../b"] });
  expect(text).toContain("The field redirectUris.0 must be written as https://app.example.com/b.");
});

test("an account has at most 50, also when several are registered at once; a deleted one makes room", async () => {
  const made: Application[] = [];
  for (let index = 0; index < 47; index += 1) {
    made.push(await created());
  }
  for (const { id } of [await created(), ...made.slice(0, 3)]) {
    await remove(id);
    const raced = await atOnce(8, () => create(sample));
    const taken = raced.filter(({ status }) => status === 201).map((answer) => dataOf<Application>(answer, 201));
    expect(await list("?limit=100")).toHaveLength(50);
    expect(raced.filter(({ status }) => status === 409)).toHaveLength(8 - taken.length);
    expect(await create(sample)).toMatchObject(refused("OAUTH_APPLICATION_LIMIT_REACHED"));
    await Promise.all(taken.slice(1).map((application) => remove(application.id)));
  }
});

describe("as the identity provider sees them", () => {
  test("a client is found by its id, with what it is registered for, and no text makes the look-up fail", async () => {
    const { id, name, redirectUris, scopes, logoUri, websiteUrl } = await created();
    const { oauthApplications: applications } = gateway.platform.accounts;
    const registered = { id, name, redirectUris, scopes, logoUri, websiteUrl, accountId: client.account.id };
    expect(await applications.findClient(id)).toMatchObject(registered);
    for (const text of ["", "nobody", "app_\u0000", "\ud800", id.toUpperCase(), `${id} `]) {
      expect(await applications.findClient(text)).toBeNull();
    }
  });

  test("an origin is known while an application has a redirect URI there", async () => {
    const { oauthApplications: applications } = gateway.platform.accounts;
    const origins = ["https://one.example.com", "https://one.example.com:8443", "http://127.0.0.1:8499"];
    const known = (): Promise<boolean[]> => Promise.all(origins.map((origin) => applications.hasOrigin(origin)));
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
