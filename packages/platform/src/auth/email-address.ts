import { createHash } from "node:crypto";

export { isEmailAddress } from "@gateway/contract";

/**
 * The form that distinguishes e-mail addresses: the letter case of ASCII letters does not count. It ignores the locale,
 * because a Turkish one maps `I` and `İ` differently. `fold_email` in the database does the same.
 */
export function foldEmail(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Distinguishes addresses as `foldEmail` does, without revealing them: for stores that must not hold addresses. */
export function digestEmail(address: string): string {
  return createHash("sha256").update(foldEmail(address)).digest("base64url");
}
