import { errors, jwtVerify, decodeJwt } from "jose";
import { isObject } from "./read-json.ts";
import { keyOf, sha256Of } from "./principal-header.ts";
import type { ForwardableService } from "./services.ts";
import type { UpstreamConfig } from "./upstream-settings.ts";

/** An event that an upstream reports. `id` is the upstream's own: the same id twice is the same event. */
type UpstreamEvent = { id: string; accountId: string; type: string; object: Record<string, unknown> };

type Told = {
  token: string | undefined;
  method: string;
  target: string;
  body: Buffer;
  livemode: boolean;
  nowMs: number;
};

type Verified = { service: ForwardableService; event: UpstreamEvent } | { refusal: string; status: 400 | 401 };

const clockToleranceSeconds = 5;
const maxIdCharacters = 200;

/**
 * Verifies the header of an event with the secret of its service and the bytes. The event's id reveals repetitions.
 */
export async function verifyUpstreamEvent(upstreams: readonly UpstreamConfig[], told: Told): Promise<Verified> {
  const upstream = upstreams.find(({ service }) => service === issuerOf(told.token));
  if (!told.token || !upstream) {
    return refuse("The header X-Gateway-Principal is missing, or names no upstream of this gateway.");
  }
  try {
    const { payload } = await jwtVerify(told.token, keyOf(upstream.secret), {
      ...{ algorithms: ["HS256"], issuer: upstream.service, audience: "gateway" },
      ...{ maxTokenAge: 60, clockTolerance: clockToleranceSeconds, currentDate: new Date(told.nowMs) },
      requiredClaims: ["exp", "iat", "jti"],
    });
    const isOfRequest =
      payload["method"] === told.method &&
      payload["target"] === told.target &&
      payload["bodySha256"] === sha256Of(told.body);
    if (!isOfRequest) {
      return refuse("The header X-Gateway-Principal was signed for another request.");
    }
    if (payload["livemode"] !== told.livemode) {
      return refuse("The header X-Gateway-Principal was signed for the other environment.");
    }
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      return refuse("The header X-Gateway-Principal is forged, or older than 60 seconds.");
    }
    throw error;
  }
  const event = readEvent(told.body);
  return event
    ? { service: upstream.service, event }
    : { refusal: "The body must be a JSON object with id, accountId, type and object.", status: 400 };
}

function refuse(refusal: string): Verified {
  return { refusal, status: 401 };
}

/** Reads the unverified issuer, which selects the secret for the verification. */
function issuerOf(token: string | undefined): string | undefined {
  try {
    return decodeJwt(token ?? "").iss;
  } catch {
    return undefined;
  }
}

function readEvent(body: Buffer): UpstreamEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return null;
  }
  if (!isObject(value)) {
    return null;
  }
  const { id, accountId, type, object } = value;
  return isId(id) && isId(accountId) && isId(type) && isObject(object) ? { id, accountId, type, object } : null;
}

function isId(value: unknown): value is string {
  // Printable, because it is stored and logged.
  return typeof value === "string" && new RegExp(`^[\\x21-\\x7e]{1,${maxIdCharacters}}$`).test(value);
}
