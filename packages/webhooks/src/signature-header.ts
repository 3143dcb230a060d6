export const signatureHeaderName = "X-Service-Signature";

export type ParsedHeader = { timestampSeconds: number; signatures: readonly string[] };

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, in the order given. */
export function formatSignatureHeader({ timestampSeconds, signatures }: ParsedHeader): string {
  return [`t=${timestampSeconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}

/**
 * Null when it is not of that form: exactly one `t`, at least one `v1`, every `v1` 64 lowercase hex digits. Other names are
 * passed over, so that a `v2` can come beside `v1` one day.
 */
export function parseSignatureHeader(header: string): ParsedHeader | null {
  const pairs = header.split(",").map(splitPair);
  const valuesOf = (name: string): string[] => pairs.flatMap((pair) => (pair.name === name ? [pair.value] : []));
  const [timestamp, ...moreTimestamps] = valuesOf("t");
  const signatures = valuesOf("v1");
  if (timestamp === undefined || moreTimestamps.length > 0 || !timestampPattern.test(timestamp)) {
    return null;
  }
  if (signatures.length === 0 || !signatures.every((signature) => signaturePattern.test(signature))) {
    return null;
  }
  return { timestampSeconds: Number(timestamp), signatures };
}

/** Whole seconds in plain digits, as they are signed. Eleven digits reach the year 5138; milliseconds have thirteen. */
export function isTimestampSeconds(value: number): boolean {
  return timestampPattern.test(String(value));
}

const timestampPattern = /^[1-9]\d{0,10}$/;
const signaturePattern = /^[0-9a-f]{64}$/;

function splitPair(pair: string): { name: string; value: string } {
  const [name = "", ...value] = pair.trim().split("=");
  return { name, value: value.join("=") };
}
