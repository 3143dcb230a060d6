import { base64Url, randomText } from "../random-text.ts";

/** The proof at the exchange. The verifier stays with you; the challenge goes into the URL. */
export type PkcePair = { codeVerifier: string; codeChallenge: string };

/** RFC 7636, 4.1 and 4.2, with S256, the only method that the identity provider takes. */
export async function createPkcePair(): Promise<PkcePair> {
  const codeVerifier = randomText();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return { codeVerifier, codeChallenge: base64Url(new Uint8Array(digest)) };
}
