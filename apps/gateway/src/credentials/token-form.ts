/** The tokens of our identity provider have about 900 characters. */
const maxLength = 4096;
/** All header members that our identity provider writes. */
const headerMembers: ReadonlySet<string> = new Set(["alg", "typ", "kid"]);

/**
 * The name of a token's key, or null when the token does not have the form that our identity provider writes. That form
 * is JWS compact (RFC 7515, 7.1) with RS256, canonical base64url and JSON, and no header but `alg`, `typ` and `kid`. It
 * proves nothing yet. It is stricter than the RFCs: spare bits, padding and repeated members would give one signature
 * many readings.
 */
export function keyNameOf(text: string): string | null {
  if (text.length > maxLength) {
    return null;
  }
  const [header, claims, signature, ...rest] = text.split(".").map(decodeCanonical);
  if (!header || !claims || !signature || rest.length > 0 || !parseCanonical(claims)) {
    return null;
  }
  const { alg, kid, ...others } = parseCanonical(header) ?? {};
  const isOurs = alg === "RS256" && Object.keys(others).every((name) => headerMembers.has(name));
  return isOurs && typeof kid === "string" ? kid : null;
}

function decodeCanonical(part: string): Buffer | null {
  const bytes = Buffer.from(part, "base64url");
  return bytes.length > 0 && bytes.toString("base64url") === part ? bytes : null;
}

/** A JSON object that JSON.stringify would write in these very bytes, so no name is repeated. */
function parseCanonical(bytes: Buffer): Record<string, unknown> | null {
  try {
    const text = bytes.toString();
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject && JSON.stringify(parsed) === text ? { ...parsed } : null;
  } catch {
    return null;
  }
}
