import { createHash } from "node:crypto";

/** SHA-256: what is stored of a secret of 256 random bits, or of a name by which one is found. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
