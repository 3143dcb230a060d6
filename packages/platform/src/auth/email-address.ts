import { createHash } from "node:crypto";

export { isEmailAddress } from "@gateway/contract";

/**
 * What tells e-mail addresses apart: the letter case of ASCII letters does not count, and everything else does. An
 * address that is taken today has no other letters, so this is all of it, and nothing that a locale could see
 * otherwise: in a Turkish one `I` is not the capital of `i`, and `İ` becomes one character here and two there.
 * `fold_email` in the database says the same, and keeps it in `email_key` beside each address, whoever writes it.
 */
export function foldEmail(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Tells addresses apart as `foldEmail` does, and does not tell them: for stores where they are nobody's business. */
export function digestEmail(address: string): string {
  return createHash("sha256").update(foldEmail(address)).digest("base64url");
}
