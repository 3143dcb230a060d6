import * as oauth from "openid-client";
import type { DemoConfig } from "./config.ts";
import { listenForRedirect } from "./redirect-listener.ts";

export type WalkDeps = {
  /** Prints a line for the person at the terminal. */
  print(line: string): void;
  /** Shows the page to the person, if this machine can; its address is printed in any case. */
  openBrowser(url: string): Promise<void>;
};

const scope = "openid email profile read";

/**
 * The authorization code flow with PKCE (RFC 6749, 4.1; RFC 7636) of an application on a person's machine. It signs in
 * and asks for consent in the browser. Then it gets tokens, the person's wallets, a refresh, and the end of the grant.
 */
export async function walkOauth(config: DemoConfig, { print, openBrowser }: WalkDeps): Promise<void> {
  const provider = await discover(config);
  print(`Identity provider  ${provider.serverMetadata().issuer}`);
  const codeVerifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const listener = await listenForRedirect({ port: config.redirectPort, state });
  try {
    const url = oauth.buildAuthorizationUrl(provider, {
      redirect_uri: listener.redirectUri,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    });
    print(`\nSign in and allow the demo application, in a browser on this machine:\n\n${url.href}\n`);
    await openBrowser(url.href);
    const tokens = await oauth.authorizationCodeGrant(provider, await listener.redirected, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
    });
    await useTokens(tokens, { provider, config, print });
  } finally {
    await listener.stop();
  }
}

function discover({ authUrl, clientId }: DemoConfig): Promise<oauth.Configuration> {
  const execute = authUrl.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
  return oauth.discovery(new URL(authUrl), clientId, undefined, oauth.None(), { execute });
}

type Tokens = Awaited<ReturnType<typeof oauth.authorizationCodeGrant>>;
type UseTokensDeps = { provider: oauth.Configuration; config: DemoConfig; print(line: string): void };

async function useTokens(tokens: Tokens, { provider, config, print }: UseTokensDeps): Promise<void> {
  const claims = tokens.claims();
  print(`Signed in          ${text(claims?.["name"])} <${text(claims?.["email"])}>, ${text(claims?.sub)}`);
  print(`Access token       for ${tokens.expires_in} s, scope ${tokens.scope}`);
  print(`\nWallets\n${await listWallets(config, tokens.access_token)}\n`);
  const refreshToken = tokens.refresh_token;
  if (!refreshToken) {
    throw new Error("The identity provider gave no refresh token.");
  }
  const refreshed = await oauth.refreshTokenGrant(provider, refreshToken);
  print(`Refreshed          a new access token, and a new refresh token instead of the old one`);
  await oauth.tokenRevocation(provider, refreshed.refresh_token ?? refreshToken);
  print(`Revoked            the demo application no longer has access`);
}

type Wallet = { id: string; name: string; currency: string; balance: { available: number } };

async function listWallets({ apiUrl }: DemoConfig, accessToken: string): Promise<string> {
  const response = await fetch(new URL("/api/v1/wallets", apiUrl), {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  // The gateway responds with `data` or with `error`. The response of a proxy in between has neither.
  const body = (await response.json()) as { data?: Wallet[]; error?: { code: string; message: string } };
  if (!body.data) {
    throw new Error(`The gateway answered ${response.status} ${body.error?.code ?? ""}: ${body.error?.message ?? ""}`);
  }
  const rows = body.data.map(
    (wallet) => `  ${wallet.id}  ${wallet.currency}  ${String(wallet.balance.available).padStart(12)}  ${wallet.name}`,
  );
  return rows.length > 0 ? rows.join("\n") : "  none yet";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
