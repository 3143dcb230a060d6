import { createHash } from "node:crypto";

/** The SHA-256 in base64url; without a body, that of no bytes. */
export function sha256Of(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url");
}
