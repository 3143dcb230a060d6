import { createHash } from "node:crypto";

/** In base64url; of no body, that of no bytes. */
export function sha256Of(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url");
}
