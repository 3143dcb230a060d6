/** A request gets in with `active` alone. An overlap of zero ends a key at once, so the end itself is past. */
export function apiKeyStatusOf(
  key: { revokedAtMs: number | null; expiresAtMs: number | null },
  nowMs: number,
): "active" | "expired" | "revoked" {
  if (key.revokedAtMs !== null) {
    return "revoked";
  }
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? "expired" : "active";
}
