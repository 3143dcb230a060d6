import type { AccessTokens } from "../credential.ts";
import { randomText } from "../random-text.ts";
import type { Fetch } from "../transport/exchange.ts";
import { askProvider, readTokens } from "./ask-provider.ts";
import { authorizeUrl, type AuthorizeUrlInput } from "./authorize-url.ts";
import { createPkcePair } from "./pkce.ts";
import { readRedirect } from "./read-redirect.ts";
import { createTokenKeeper } from "./token-keeper.ts";
import { createMemoryTokenStore, type OAuthTokens, type TokenStore } from "./token-store.ts";

export type OAuthOptions = {
  /** The identity provider's address. */
  authUrl: string;
  clientId: string;
  /** Exactly as it is registered. */
  redirectUri: string;
  store?: TokenStore | undefined;
  fetch?: Fetch | undefined;
};

/** Keep it until the redirect, such as in sessionStorage: it proves that you began what comes back. */
export type PendingSignIn = { state: string; codeVerifier: string };

export type BeginOptions = Pick<AuthorizeUrlInput, "maxAgeSeconds">;

/** One person's consent: signs in, hands out access tokens and renews them, signs out. */
export interface OAuthSession extends AccessTokens {
  /**
   * The URL for the person, and the values to keep until the redirect. A person who signed in longer ago than
   * `maxAgeSeconds` signs in again: pass the value of an AuthenticationError.
   */
  begin(scopes: readonly string[], options?: BeginOptions): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * Turns the address that the person was sent back to into tokens. Throws an OAuthError unless it answers `pending`.
   */
  handleRedirect(url: string, pending: PendingSignIn): Promise<OAuthTokens>;
  /** The code of a redirect for tokens. Not repeated by itself: a code that comes twice ends what it gave. */
  exchangeCode(input: { code: string; codeVerifier: string }): Promise<OAuthTokens>;
  /** A token that still lives, renewed if need be; not the one that was refused. */
  accessToken(refused?: string): Promise<string>;
  /** New tokens; callers at the same time share one request. */
  refresh(): Promise<OAuthTokens>;
  /** Revokes the consent (RFC 7009) and forgets the tokens, even when the revocation fails. */
  signOut(): Promise<void>;
}

export function createOAuthSession(options: OAuthOptions): OAuthSession {
  const { clientId, redirectUri, store = createMemoryTokenStore() } = options;
  const authUrl = options.authUrl.replace(/\/$/, "");
  const ask = createAsk(options);
  const askForTokens = async (form: Record<string, string>): Promise<OAuthTokens> => {
    const tokens = readTokens(await ask(`${authUrl}/api/v1/token`, form), form["refresh_token"]);
    await store.set(tokens);
    return tokens;
  };
  const exchangeCode: OAuthSession["exchangeCode"] = ({ code, codeVerifier }) =>
    askForTokens({ grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier });
  const keeper = createTokenKeeper({
    store,
    name: `gateway-oauth ${clientId}`,
    refresh: ({ refreshToken }) => askForTokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
  });
  return {
    ...keeper,
    exchangeCode,
    begin: async (scopes, { maxAgeSeconds } = {}) => {
      const { codeVerifier, codeChallenge } = await createPkcePair();
      const state = randomText();
      const url = authorizeUrl({ authUrl, clientId, redirectUri, scopes, state, codeChallenge, maxAgeSeconds });
      return { url, pending: { state, codeVerifier } };
    },
    handleRedirect: async (url, { state, codeVerifier }) =>
      exchangeCode({ code: readRedirect({ url, state, issuer: authUrl }), codeVerifier }),
    signOut: async () => {
      const kept = await store.get();
      await store.set(null);
      if (kept) {
        const { revocation_endpoint: url } = await ask(`${authUrl}/.well-known/openid-configuration`);
        await ask(String(url), { token: kept.refreshToken, token_type_hint: "refresh_token" });
      }
    },
  };
}

type AskProvider = (url: string, form?: Readonly<Record<string, string>>) => ReturnType<typeof askProvider>;

/** A public client says who it is in each form (RFC 6749, 3.2.1). */
function createAsk({ clientId, fetch: ownFetch }: OAuthOptions): AskProvider {
  const authFetch: Fetch = ownFetch ?? ((url, init) => fetch(url, init));
  return (url, form) => askProvider({ fetch: authFetch, url, ...(form && { form: { ...form, client_id: clientId } }) });
}
