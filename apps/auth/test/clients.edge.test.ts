import { useAll } from "@gateway/testkit";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, test } from "vitest";
import { answerQuestions } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

/** Clients by other authors, used as their documentation says. */
describe("clients of others", () => {
  const auth = useAuth();
  const person = useAll(() => auth.createPerson());
  let clientId: string;
  const redirectUri = "http://127.0.0.1:3000/callback";

  beforeAll(async () => {
    clientId = (await auth.createApplication(person.account, { redirectUris: [redirectUri] })).id;
  });

  /** Signs in with the form, allows, and returns the address at which the application is called back. */
  const walk = async (url: URL): Promise<URL> => {
    const browser = await auth.openBrowser();
    const last = await answerQuestions(browser, await browser.open(url.href), { person });
    return new URL(last.url);
  };
  const note = (tokens: { access_token: string; refresh_token?: string | undefined }): void => {
    [tokens.access_token, tokens.refresh_token ?? ""].forEach((token) => auth.watch.note(token));
  };

  test("openid-client and jose: discovery, authorize, code, tokens, keys, userinfo, refresh, revocation, end session", async () => {
    const config = await openid.discovery(new URL(auth.origin), clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    });
    const verifier = auth.watch.note(openid.randomPKCECodeVerifier());
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const callback = await walk(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "openid email profile write",
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      }),
    );
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    note(tokens);
    expect(tokens.claims()).toMatchObject({ sub: person.user.id, email: person.user.email, name: person.user.name });
    expect(await openid.fetchUserInfo(config, tokens.access_token, person.user.id)).toMatchObject({
      email: person.user.email,
      email_verified: true,
    });

    // The rules are those of RFC 9068, and the keys are the published ones.
    const keys = createRemoteJWKSet(new URL(`${auth.origin}/api/v1/jwks`));
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys, {
      issuer: auth.origin,
      audience: auth.apiUrl,
      typ: "at+jwt",
      requiredClaims: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
    });
    expect(protectedHeader.alg).toBe("RS256");
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    note(refreshed);
    expect(refreshed).toMatchObject({ scope: "openid email profile write", refresh_token: expect.any(String) });
    await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await expect(openid.fetchUserInfo(config, refreshed.access_token, person.user.id)).rejects.toThrow();
    const end = openid.buildEndSessionUrl(config, { post_logout_redirect_uri: redirectUri });
    expect(end.href.startsWith(`${auth.origin}/api/v1/end-session?`)).toBe(true);
  });
});
