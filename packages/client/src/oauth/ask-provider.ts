import { exchange, type Fetch } from "../transport/exchange.ts";
import type { OAuthTokens } from "./token-store.ts";
import { OAuthError } from "./oauth-error.ts";

const timeoutMs = 10_000;

export type ProviderRequest = { fetch: Fetch; url: string; form?: Readonly<Record<string, string>> };

/** Calls the identity provider, whose responses have the shapes of their RFCs. Throws an OAuthError. */
export async function askProvider({ fetch, url, form }: ProviderRequest): Promise<Readonly<Record<string, unknown>>> {
  const { response, text } = await exchange(fetch, {
    method: form ? "POST" : "GET",
    url,
    headers: new Headers(form && { "Content-Type": "application/x-www-form-urlencoded" }),
    body: form && new URLSearchParams(form).toString(),
    timeoutMs,
    signals: [],
  });
  const answer = parseObject(text);
  if (response.ok) {
    return answer;
  }
  const { status, headers } = response;
  // RFC 6749, 5.2: both are strings, if they are present.
  const { error: code = `HTTP_${status}`, error_description: description = "" } = answer as Record<string, string>;
  throw new OAuthError(`The identity provider refused: ${status} ${code}. ${description}`, {
    status,
    code,
    headers,
  });
}

/** RFC 6749, 5.1. Without a new refresh token the old one stays in use (6). */
export function readTokens(answer: Readonly<Record<string, unknown>>, refreshToken = ""): OAuthTokens {
  // Checked below, as far as anything here depends on it.
  const given = answer as {
    access_token?: string;
    refresh_token?: string;
    id_token?: string;
    expires_in?: number;
    scope?: string;
  };
  if (!given.access_token) {
    throw new OAuthError("The identity provider's answer holds no token.", { status: 200, code: "INVALID_ANSWER" });
  }
  return {
    accessToken: given.access_token,
    refreshToken: given.refresh_token ?? refreshToken,
    ...(given.id_token && { idToken: given.id_token }),
    expiresAtMs: Date.now() + (given.expires_in ?? 3600) * 1000,
    scope: given.scope ?? "",
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    // Object turns a value that is not an object into one without fields.
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
