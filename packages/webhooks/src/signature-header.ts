export const signatureHeaderName = "X-Service-Signature";

export type ParsedHeader = { timestampSeconds: number; signatures: readonly string[] };

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, in the order given. */
export function formatSignatureHeader({ timestampSeconds, signatures }: ParsedHeader): string {
  return [`t=${timestampSeconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}

/**
 * Null when it does not have that form: exactly one `t`, at least one `v1`, every `v1` 64 lowercase hex digits. Other
 * names are ignored, so that a `v2` can be added to `v1` one day.
 */
export function parseSignatureHeader(header: string): ParsedHeader | null {
  const pairs = header.split(",").map((pair) => pair.trim());
  const valuesOf = (name: string): string[] =>
    pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length));
  const [timestamp = "", ...moreTimestamps] = valuesOf("t=");
  const signatures = valuesOf("v1=");
  const isWellFormed =
    timestampPattern.test(timestamp) && moreTimestamps.length === 0 && signaturesPattern.test(signatures.join());
  return isWellFormed ? { timestampSeconds: Number(timestamp), signatures } : null;
}

/** Whole seconds in plain digits, as they are signed. Eleven digits reach the year 5138; milliseconds have thirteen. */
export function isTimestampSeconds(value: number): boolean {
  return timestampPattern.test(String(value));
}

const timestampPattern = /^[1-9]\d{0,10}$/;
/** At least one, joined by commas. */
const signaturesPattern = /^[0-9a-f]{64}(,[0-9a-f]{64})*$/;
