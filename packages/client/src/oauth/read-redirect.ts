import { OAuthError } from "./oauth-error.ts";

export type Redirect = {
  /** The address that the person was sent back to. */
  url: string;
  /** The values that were sent at the beginning. */
  state: string;
  /** The identity provider's address. */
  issuer: string;
};

/**
 * The code in a redirect. Throws an OAuthError for a refusal, and `invalid_redirect` for another state (RFC 6749,
 * 10.12) or issuer (RFC 9207, 2.4).
 */
export function readRedirect({ url, state, issuer }: Redirect): string {
  const query = new URL(url).searchParams;
  demand(state !== "" && query.get("state") === state, "state is not the one that was sent");
  demand(query.get("iss")?.replace(/\/$/, "") === issuer, "iss is not the identity provider");
  const refusal = query.get("error");
  if (refusal !== null) {
    throw new OAuthError(`Sign-in was refused: ${refusal}. ${query.get("error_description") ?? ""}`, {
      status: null,
      code: refusal,
    });
  }
  const code = query.get("code");
  demand(code, "code is missing");
  return code ?? "";
}

function demand(isMet: unknown, what: string): void {
  if (!isMet) {
    throw new OAuthError(`The redirect does not belong to this sign-in: ${what}.`, {
      status: null,
      code: "invalid_redirect",
    });
  }
}
