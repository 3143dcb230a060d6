import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const pattern = new RegExp(`^(gk_(test|live)_[0-9A-Za-z]{${randomLength}})_([0-9A-Za-z]{${checksumLength}})$`);

/**
 * A new API key: `gk_test_` or `gk_live_`, 32 random base62 characters (190 bits), `_`, and the CRC32 of everything
 * before it. The fixed shape lets secret scanners find a leaked key, and the checksum refuses a mistyped one without a
 * query.
 */
export function createApiKeySecret(livemode: boolean): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  const body = `gk_${livemode ? "live" : "test"}_${random}`;
  return `${body}_${checksumOf(body)}`;
}

/** The environment that a key was created for, or null when the text is not a key. Needs no query. */
export function parseApiKeySecret(text: string): { livemode: boolean } | null {
  const match = pattern.exec(text);
  if (!match?.[1] || match[3] !== checksumOf(match[1])) {
    return null;
  }
  return { livemode: match[2] === "live" };
}

/** The stored form of a key. A plain SHA-256 suffices, because 190 random bits cannot be guessed. */
export function hashApiKeySecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** The same hash as a string, for keys of maps in memory. Each request needs it, and it takes a third of the time. */
export function nameApiKeySecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

export function hintOfApiKeySecret(secret: string): string {
  return `${secret.slice(0, 8)}…${secret.slice(-4)}`;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < checksumLength; place += 1) {
    text = `${alphabet[rest % alphabet.length]}${text}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
