import { useAll } from "@gateway/testkit";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

describe("tokens", () => {
  const auth = useAuth();
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));

  test("the code of a sign-in is exchanged for an access token, a refresh token and an ID token", async () => {
    const authorization = await client.authorize(person);
    expect(Object.fromEntries(authorization.url.searchParams)).toEqual({
      code: authorization.code,
      state: "st_1",
      iss: auth.origin,
    });
    const { status, json, headers } = await client.exchange(authorization);
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { token_type: "Bearer", expires_in: 3600, scope: "openid email profile write" },
    });
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(decodeProtectedHeader(json.access_token)).toMatchObject({ alg: "RS256", typ: "at+jwt" });
    expect(decodeJwt(json.access_token)).toMatchObject({
      iss: auth.origin,
      sub: person.user.id,
      aud: auth.apiUrl,
      client_id: client.application.id,
      scope: "openid email profile write",
      account: person.account.id,
      grant: expect.any(String),
      jti: expect.any(String),
    });
    expect(decodeJwt(String(json.id_token))).toMatchObject({
      aud: client.application.id,
      sub: person.user.id,
      email: person.user.email,
      email_verified: true,
      name: person.user.name,
    });
    const refreshed = await client.refresh(json.refresh_token);
    expect(refreshed.status).toBe(200);
    expect(refreshed.json.refresh_token).not.toBe(json.refresh_token);
  });
});
