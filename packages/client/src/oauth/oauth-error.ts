import { GatewayError } from "../errors/gateway-error.ts";

/**
 * The identity provider refused, or a redirect does not belong to the request. `code` is that of the RFC, such as
 * `access_denied` or `invalid_grant`; `invalid_redirect` is the client's own. After an `invalid_grant` of a refresh,
 * the person must sign in again.
 */
export class OAuthError extends GatewayError {
  override name = "OAuthError";
}
