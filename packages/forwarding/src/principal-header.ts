import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

export const principalHeaderName = "X-Gateway-Principal";

/** How long a signed header is good for, from when it is signed. */
const goodForSeconds = 60;

/** Who asks, as the upstream is told. `credential` names, and holds no secret. */
export type ForwardedPrincipal = {
  accountId: string;
  permission: string | null;
  credential:
    | { kind: "apiKey"; apiKeyId: string }
    | { kind: "accessToken"; grantId: string; personId: string; applicationId: string }
    | { kind: "service"; service: string };
};

export type SignedRequest = {
  service: string;
  requestId: string;
  livemode: boolean;
  method: string;
  target: string;
  body: Buffer | null;
  principal: ForwardedPrincipal;
};

export type SignPrincipal = (request: SignedRequest) => string;

/** RFC 7515, 7.1: the compact form begins with it. */
const protectedHeader = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");

/**
 * A JWS (RFC 7515, HS256) bound to the bytes of the request. `jti` is the request's id, so an upstream can refuse a
 * write that comes twice. By Node's HMAC and not by jose, whose WebCrypto was a fifth of what forwarding costs.
 */
export function createPrincipalSigner({ secret, now }: { secret: string; now(): number }): SignPrincipal {
  const key = keyOf(secret);
  return ({ service, requestId, livemode, method, target, body, principal }) => {
    const issuedAt = Math.floor(now() / 1000);
    const claims = {
      ...{ iss: "gateway", aud: service, jti: requestId, iat: issuedAt, exp: issuedAt + goodForSeconds },
      ...{ account: principal.accountId, permission: principal.permission, credential: principal.credential },
      ...{ livemode, method, target, bodySha256: sha256Of(body) },
    };
    const signed = `${protectedHeader}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
    return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  };
}

/** The key that an upstream gets for a caller's: the same for each repetition, and nothing of the caller's own text. */
export function deriveIdempotencyKey(secret: string, { accountId, key }: { accountId: string; key: string }): string {
  return createHmac("sha256", secret).update(`idempotency\n${accountId}\n${key}`).digest("base64url");
}

const ofNoBody = hash("sha256", "", "base64url");

export function sha256Of(body: Buffer | null): string {
  return body === null ? ofNoBody : hash("sha256", body, "base64url");
}

/** Node finds out anew at each use what the bytes of a key are. */
export function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret));
}
