/** 256 bits in 43 letters of base64url: an idempotency key, a state, a code verifier (RFC 7636, 4.1). */
export function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (letter) => ({ "+": "-", "/": "_" })[letter] ?? "");
}
