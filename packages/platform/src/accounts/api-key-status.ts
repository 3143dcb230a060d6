/**
 * A request is let in only with `active`. A key has expired at its expiry itself, so an overlap of zero ends it at
 * once.
 */
export function apiKeyStatusOf(
  key: { revokedAtMs: number | null; expiresAtMs: number | null },
  nowMs: number,
): "active" | "expired" | "revoked" {
  if (key.revokedAtMs !== null) {
    return "revoked";
  }
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? "expired" : "active";
}
