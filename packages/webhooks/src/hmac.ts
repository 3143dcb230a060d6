/** HMAC-SHA256 (RFC 2104) of the message, keyed with the UTF-8 bytes of the secret, as lowercase hex. */
export type Hmac = (secret: string, message: Uint8Array<ArrayBuffer>) => string | Promise<string>;

/** HMAC by Web Crypto, so it runs wherever JavaScript runs. Imports the key each time and keeps nothing. */
export const webCryptoHmac: Hmac = (secret, message) => digest(importKey(secret), message);

/**
 * HMAC by Web Crypto, for programs that sign or verify often: it keeps the imported keys of the `maxKeys` secrets used
 * last. Web Crypto hands each signature to a thread pool. The figures are of signPayload on Node 24, two cores, with
 * bodies of 1.4 kB, 64 at a time. Importing each time costs 44 µs of CPU (15,000 a second), and kept keys cost 25 µs
 * (40,000). The `createHmac` of node:crypto costs 6 µs (72,000), so a busy sender on Node passes node:crypto.
 */
export function createWebCryptoHmac({ maxKeys = 1_000 }: { maxKeys?: number } = {}): Hmac {
  const keys = new Map<string, Promise<HmacKey>>();
  return async (secret, message) => {
    const key = keys.get(secret) ?? importKey(secret);
    // A Map lists its keys by insertion. Removing and adding the key moves it to the end.
    keys.delete(secret);
    keys.set(secret, key);
    dropOldest(keys, maxKeys);
    return digest(key, message);
  };
}

/** CryptoKey, whose name is not a global type when only Node's types are loaded. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function dropOldest(keys: Map<string, unknown>, maxKeys: number): void {
  const [oldest] = keys.keys();
  if (keys.size > maxKeys && oldest !== undefined) {
    keys.delete(oldest);
  }
}

function importKey(secret: string): Promise<HmacKey> {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** The HMAC as lowercase hex. */
async function digest(key: Promise<HmacKey>, message: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", await key, message));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
