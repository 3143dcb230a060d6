import { createHash } from "node:crypto";

export { isEmailAddress } from "@gateway/contract";

/**
 * What tells e-mail addresses apart: everything but the letter case of ASCII letters. In no locale, because a Turkish
 * one reads `I` and `İ` otherwise. `fold_email` in the database says the same.
 */
export function foldEmail(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Tells addresses apart as `foldEmail` does, and does not tell them: for stores where they are nobody's business. */
export function digestEmail(address: string): string {
  return createHash("sha256").update(foldEmail(address)).digest("base64url");
}
