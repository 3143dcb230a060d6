import { digestDatabase, useAll } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type Authorization } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

type Form = Record<string, string | undefined>;

/** Wrong requests for both codes and refresh tokens. */
const wrong: [what: string, form: Form][] = [
  ["another resource", { resource: "https://other.example" }],
  ["a resource that is no address", { resource: "wallets" }],
  ["a resource with a fragment", { resource: "http://127.0.0.1:8080#a" }],
  ["no application", { client_id: undefined }],
  ["an application that there is not", { client_id: "app_01kjqer3s2ed6a1kyx3yma4174" }],
  ["an application that it was not given to", { client_id: "another" }],
  ["a client secret", { client_secret: "secret" }],
  ["a client assertion", { client_assertion: "e30.e30.", client_assertion_type: "urn:example" }],
  ["an unknown grant type", { grant_type: "password" }],
];
const wrongWithCode: typeof wrong = [
  ["another redirect URI", { redirect_uri: "https://app.example.com/callback/" }],
  ["no redirect URI", { redirect_uri: undefined }],
  ["another verifier", { code_verifier: "w".repeat(43) }],
  ["a verifier that is too short", { code_verifier: "w" }],
  ["no verifier", { code_verifier: undefined }],
];
const wrongWithToken: typeof wrong = [["more scopes than were consented to", { scope: "openid admin" }]];

/** RFC 6749, 5.2. Only the reuse of a code or of a refresh token ends its tokens. */
describe("a refused exchange changes nothing", () => {
  const auth = useAuth();
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));
  let another: string;
  let authorization: Authorization;
  let refreshToken: string;

  beforeAll(async () => {
    another = (await auth.createApplication(person.account)).id;
    ({ refresh_token: refreshToken } = await client.connect(person, { scope: "openid write" }));
    authorization = await client.authorize(person);
  });

  const expectNothing = async (ask: () => Promise<{ status: number }>): Promise<void> => {
    const before = await digestDatabase(auth.database);
    const { status } = await ask();
    expect([400, 401]).toContain(status);
    expect(await digestDatabase(auth.database)).toEqual(before);
  };
  const named = (form: Form): Form => (form["client_id"] === "another" ? { client_id: another } : form);

  test.each([...wrong, ...wrongWithCode])("with %s, of a code", async (_what, form) => {
    await expectNothing(() => client.exchange(authorization, { form: named(form) }));
  });

  test.each([...wrong, ...wrongWithToken])("with %s, of a refresh token", async (_what, form) => {
    await expectNothing(() => client.refresh(refreshToken, { form: named(form) }));
  });

  test.each(["refresh_token", "access_token"] as const)(
    "with a client secret nothing is revoked either: %s",
    async (kind) => {
      const tokens = await client.connect(person);
      const form = { client_id: client.application.id, token: tokens[kind], client_secret: "secret" };
      await expectNothing(() => client.post("/api/v1/revocation", form));
    },
  );

  test("after all of that the code and the refresh token do what they are for", async () => {
    expect(await client.exchange(authorization)).toMatchObject({ status: 200 });
    expect(await client.refresh(refreshToken)).toMatchObject({ status: 200 });
  });
});
