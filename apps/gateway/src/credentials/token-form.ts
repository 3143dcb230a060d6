/** Ours have about 900 characters. */
const maxLength = 4096;
/** All that our identity provider says in a header. */
const headerMembers: ReadonlySet<string> = new Set(["alg", "typ", "kid"]);

/**
 * The name of a token's key, or null when it has not the one form that our identity provider writes: JWS compact (RFC
 * 7515, 7.1), RS256, base64url and JSON spelled canonically, no header but `alg`, `typ` and `kid`. Proves nothing yet.
 * Stricter than the RFCs: spare bits, padding and members that stand twice would give one signature many readings.
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

/** A JSON object that JSON.stringify would write in these very bytes: none of its names stands twice. */
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
