import { webCryptoHmac, type Hmac } from "./hmac.ts";
import { requireSecrets } from "./require-secrets.ts";
import type { SignatureFailureReason } from "./signature-failure.ts";
import { parseSignatureHeader, type ParsedHeader } from "./signature-header.ts";
import { isRawBody, signedMessage, type RawBody } from "./signed-message.ts";

export type VerifyOptions = {
  /** How far the signature's time may be from now, either way. */
  toleranceSeconds?: number;
  /** Unix seconds; now, if left out. */
  nowSeconds?: number;
  hmac?: Hmac;
};

export type VerifyInput = VerifyOptions & {
  body: RawBody;
  /** As the framework gives it: absent, one value, or a list of them. */
  header: string | readonly string[] | null | undefined;
  /** Any of several may fit: during a rotation the old and the new one. */
  secret: string | readonly string[];
};

export type SignatureResult =
  | { isValid: true; timestampSeconds: number }
  | { isValid: false; reason: Exclude<SignatureFailureReason, "not_an_event"> };

/**
 * Whether the body was signed with one of the secrets, within the tolerance (300 s). The time is judged after the signature,
 * so `expired` and `in_future` are said of authentic deliveries only.
 * Throws for a mistake of the caller: an Error without a secret, a RangeError for a clock or a tolerance that is no number.
 */
export async function verifySignature(input: VerifyInput): Promise<SignatureResult> {
  const { toleranceSeconds = 300, nowSeconds = Date.now() / 1000, hmac = webCryptoHmac } = input;
  requireNumbers(toleranceSeconds, nowSeconds);
  const secrets = [input.secret].flat();
  requireSecrets(secrets);
  if (!isRawBody(input.body)) {
    return { isValid: false, reason: "body_not_raw" };
  }
  const header = parseHeader(input.header);
  if (typeof header === "string") {
    return { isValid: false, reason: header };
  }
  const { timestampSeconds, signatures } = header;
  const message = signedMessage(timestampSeconds, input.body);
  const expected = await Promise.all(secrets.map(async (secret) => hmac(secret, message)));
  if (!hasMatch(expected, signatures)) {
    return { isValid: false, reason: "mismatch" };
  }
  if (Math.abs(nowSeconds - timestampSeconds) > toleranceSeconds) {
    return { isValid: false, reason: timestampSeconds > nowSeconds ? "in_future" : "expired" };
  }
  return { isValid: true, timestampSeconds };
}

/** NaN compares as false with everything: without this, a broken clock would accept any age. */
function requireNumbers(toleranceSeconds: number, nowSeconds: number): void {
  if (!(toleranceSeconds >= 0) || !Number.isFinite(nowSeconds)) {
    throw new RangeError("toleranceSeconds must be a number from 0, nowSeconds a finite number of Unix seconds.");
  }
}

function parseHeader(header: VerifyInput["header"]): ParsedHeader | "missing" | "malformed" {
  const values = typeof header === "string" ? [header] : (header ?? []);
  const [value] = values;
  if (value === undefined || value === "") {
    return "missing";
  }
  return (values.length === 1 ? parseSignatureHeader(value) : null) ?? "malformed";
}

/** Compares every pair to its end, so the time taken does not tell which one was nearly right. */
function hasMatch(expected: readonly string[], candidates: readonly string[]): boolean {
  let matches = 0;
  for (const signature of expected) {
    for (const candidate of candidates) {
      matches += isSameText(signature, candidate);
    }
  }
  return matches > 0;
}

/** 1 or 0, in a time that depends on the length alone; both are 64 characters here. */
function isSameText(left: string, right: string): number {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  }
  return Number(difference === 0);
}
