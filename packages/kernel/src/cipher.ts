import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;

/**
 * Encrypts values that must be readable again. `context` binds a sealed value to its place, so rows cannot be swapped.
 */
export interface Cipher {
  seal(plain: Uint8Array, context: string): Buffer;
  open(sealed: Uint8Array, context: string): Buffer;
  /** A 32-byte key for another purpose, from which the encryption keys cannot be computed (HMAC-SHA256). */
  deriveKey(purpose: string): Buffer;
}

/**
 * AES-256-GCM (NIST SP 800-38D) over a ring of 32-byte keys. The first key seals and any of them opens, so keys rotate
 * by putting a new one in front. A sealed value is key id (4) | nonce (12) | ciphertext | tag (16).
 * `open` throws when the key is unknown, the value was altered or the context differs.
 */
export function createCipher(keys: readonly Buffer[]): Cipher {
  const ring = keys.map(prepareKey);
  const [first] = ring;
  if (!first) {
    throw new Error("A cipher needs at least one key.");
  }
  const byId = new Map(ring.map(({ id, key }) => [id.toString("hex"), key]));
  return {
    seal: (plain, context) => seal(first, plain, context),
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed);
      const key = byId.get(bytes.subarray(0, keyIdBytes).toString("hex"));
      if (!key) {
        throw new Error(
          `No encryption key opens the sealed value of ${context}; was a key removed from ENCRYPTION_KEYS?`,
        );
      }
      return open(key, bytes, context);
    },
    deriveKey: (purpose) => createHmac("sha256", first.key).update(purpose).digest(),
  };
}

type PreparedKey = { id: Buffer; key: KeyObject };

/** At each use, Node takes 90 µs to find out that the bytes of a key are not one of its key objects. */
function prepareKey(bytes: Buffer): PreparedKey {
  return { id: keyIdOf(bytes), key: createSecretKey(bytes) };
}

function seal({ id, key }: PreparedKey, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([id, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: KeyObject, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes);
  const tag = sealed.subarray(sealed.length - tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  const body = sealed.subarray(keyIdBytes + nonceBytes, sealed.length - tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function keyIdOf(key: Buffer): Buffer {
  return createHash("sha256").update("key id").update(key).digest().subarray(0, keyIdBytes);
}
