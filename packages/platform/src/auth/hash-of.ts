import { createHash } from "node:crypto";

/** SHA-256 of a secret of 256 random bits, of a challenge, or of the name of a record: what is stored of it. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
