import { webCryptoHmac, type Hmac } from "./hmac.ts";
import { requireSecrets } from "./require-secrets.ts";
import type { SignatureFailureReason } from "./signature-failure.ts";
import { parseSignatureHeader, type ParsedHeader } from "./signature-header.ts";
import { bytesOf, signedMessage, type RawBody } from "./signed-message.ts";

export type VerifyOptions = {
  /** How far the signature's time may be from now, either way. */
  toleranceSeconds?: number;
  /** Unix seconds; now, if left out. */
  nowSeconds?: number;
  hmac?: Hmac;
};

export type VerifyInput = VerifyOptions & {
  body: RawBody;
  /** The value as the framework has it: absent, one value, or a list of them. */
  header: string | readonly string[] | null | undefined;
  /** Any of several may fit: during a rotation the old and the new one. */
  secret: string | readonly string[];
};

export type SignatureResult =
  | { isValid: true; timestampSeconds: number }
  | { isValid: false; reason: SignatureFailure };

type SignatureFailure = Exclude<SignatureFailureReason, "not_an_event">;

export type SignedBody = { timestampSeconds: number; bytes: Uint8Array };

/**
 * Whether the body was signed with one of the secrets, within the tolerance (300 s). The time is judged after the
 * signature, so `expired` and `in_future` are results of authentic deliveries only. Throws for a mistake of the caller:
 * an Error without a secret, a RangeError for an invalid clock or tolerance.
 */
export async function verifySignature(input: VerifyInput): Promise<SignatureResult> {
  const verdict = await judgeSignature(input);
  return typeof verdict === "string"
    ? { isValid: false, reason: verdict }
    : { isValid: true, timestampSeconds: verdict.timestampSeconds };
}

/** The fault, or the verified body. For callers that verify and then read the body, which is turned into bytes once. */
export async function judgeSignature(input: VerifyInput): Promise<SignatureFailure | SignedBody> {
  const { toleranceSeconds = 300, nowSeconds = Date.now() / 1000, hmac = webCryptoHmac } = input;
  requireNumbers(toleranceSeconds, nowSeconds);
  const secrets = [input.secret].flat();
  requireSecrets(secrets);
  const bytes = bytesOf(input.body);
  if (!bytes) {
    return "body_not_raw";
  }
  const header = parseHeader(input.header);
  if (typeof header === "string") {
    return header;
  }
  const { timestampSeconds, signatures } = header;
  const message = signedMessage(timestampSeconds, bytes);
  const expected = await Promise.all(secrets.map(async (secret) => hmac(secret, message)));
  if (!hasMatch(expected, signatures)) {
    return "mismatch";
  }
  if (Math.abs(nowSeconds - timestampSeconds) > toleranceSeconds) {
    return timestampSeconds > nowSeconds ? "in_future" : "expired";
  }
  return { timestampSeconds, bytes };
}

/** NaN compares as false with everything: without this, a broken clock would accept any age. */
function requireNumbers(toleranceSeconds: number, nowSeconds: number): void {
  if (!(toleranceSeconds >= 0 && nowSeconds < Infinity)) {
    throw new RangeError("toleranceSeconds and nowSeconds must be numbers.");
  }
}

function parseHeader(header: VerifyInput["header"]): ParsedHeader | "missing" | "malformed" {
  const [value, ...more] = [header ?? []].flat();
  if (!value) {
    return "missing";
  }
  return (more.length === 0 && parseSignatureHeader(value)) || "malformed";
}

/** Compares every pair to its end, so the time taken does not tell which one was nearly right. */
function hasMatch(expected: readonly string[], candidates: readonly string[]): boolean {
  return expected
    .flatMap((signature) => candidates.map((candidate) => isSameText(signature, candidate)))
    .includes(true);
}

/** Compares in a time that depends on the length alone; both are 64 characters here. */
function isSameText(left: string, right: string): boolean {
  const differences = Array.from(left, (letter, index) => letter.charCodeAt(0) ^ right.charCodeAt(index));
  return differences.reduce((sum, one) => sum | one, left.length ^ right.length) === 0;
}
