import { errors, jwtVerify, type JWTPayload } from "jose";
import { PrincipalRefused } from "./principal-refused.ts";
import type { VerifiedPrincipal } from "./verified-principal.ts";
import type { ReplayStore } from "./replay-store.ts";
import { sha256Of } from "./sha256.ts";

/** `target` is path and query, and `body` the bytes, both as they came: Node's `req.url`, and no parsed body. */
export type ReceivedRequest = {
  method: string;
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string | Uint8Array;
};

export type VerifyPrincipalOptions = {
  /** That of `IDENTITY_UPSTREAM_SECRET` and the like. While it changes: the new one and the old one. */
  secret: string | readonly string[];
  /** The service that this is: `identity`, `ledger`, … */
  audience: string;
  /** Needed for writes: a header that comes twice is refused there. */
  replays: ReplayStore;
  /** Tests move it. In ms since 1970. */
  now?: () => number;
};

const headerName = "x-gateway-principal";
const clockToleranceSeconds = 5;
/** The gateway repeats these by itself, with the same header. */
const reads: readonly string[] = ["GET", "HEAD"];

/**
 * The caller that the gateway vouches for. The header is signed with the secret, for this service, for this very
 * request, in the last 60 seconds. A write's header is accepted once. Throws a `PrincipalRefused` otherwise.
 */
export async function verifyPrincipal(
  request: ReceivedRequest,
  { secret, audience, replays, now = Date.now }: VerifyPrincipalOptions,
): Promise<VerifiedPrincipal> {
  const token = request.headers[headerName];
  if (typeof token !== "string") {
    throw new PrincipalRefused("missing", "The request has no header X-Gateway-Principal.");
  }
  const payload = await verifyToken(token, { secrets: [secret].flat(), audience, now });
  const isOfRequest =
    payload["method"] === request.method &&
    payload["target"] === request.target &&
    payload["bodySha256"] === sha256Of(request.body);
  if (!isOfRequest) {
    throw new PrincipalRefused("other_request", "The header X-Gateway-Principal was signed for another request.");
  }
  const { jti = "", exp = 0 } = payload;
  const goneAt = new Date((exp + clockToleranceSeconds + 1) * 1000);
  if (!reads.includes(request.method) && !(await replays.addOnce(jti, goneAt))) {
    throw new PrincipalRefused("replayed", "The header X-Gateway-Principal was used before.");
  }
  return principalOf(payload);
}

type Expected = { secrets: readonly string[]; audience: string; now(): number };

async function verifyToken(token: string, { secrets, audience, now }: Expected): Promise<JWTPayload> {
  let fault: unknown;
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        ...{ algorithms: ["HS256"], issuer: "gateway", audience, requiredClaims: ["exp", "iat", "jti"] },
        ...{ maxTokenAge: 60, clockTolerance: clockToleranceSeconds, currentDate: new Date(now()) },
      });
      return payload;
    } catch (error) {
      // An expired time says more than a wrong signature, because only the right secret finds it.
      fault = fault instanceof errors.JWTExpired ? fault : error;
    }
  }
  throw fault instanceof errors.JWTExpired
    ? new PrincipalRefused("stale", "The header X-Gateway-Principal is older than 60 seconds.", { cause: fault })
    : new PrincipalRefused("forged", "The header X-Gateway-Principal is not signed by the gateway for this service.", {
        cause: fault,
      });
}

function principalOf(payload: JWTPayload): VerifiedPrincipal {
  return {
    accountId: String(payload["account"]),
    // The signature says that the gateway wrote them.
    permission: payload["permission"] as VerifiedPrincipal["permission"],
    // The gateway wrote this claim too.
    credential: payload["credential"] as VerifiedPrincipal["credential"],
    livemode: payload["livemode"] === true,
    requestId: String(payload.jti),
  };
}
