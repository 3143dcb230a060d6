import { commonPasswords } from "./common-passwords.ts";

export const minPasswordLength = 12;
const maxPasswordLength = 128;

export const passwordAdvice = `At least ${minPasswordLength} characters. A few words that do not belong together are easy to remember and hard to guess.`;

/** The fault of a new password, or null: its length in code points, and common ones (NIST SP 800-63B, 5.1.1.2). */
export function judgePassword(password: string, { email, name = "" }: { email: string; name?: string }): string | null {
  const text = password.normalize("NFKC");
  const { length } = Array.from(text);
  if (length < minPasswordLength) {
    return `This password has ${length === 1 ? "1 character" : `${length} characters`}. Choose one with at least ${minPasswordLength}.`;
  }
  if (length > maxPasswordLength) {
    return `This password has ${length} characters. Choose one with at most ${maxPasswordLength}.`;
  }
  const bare = bareOf(text);
  const [local = ""] = email.split("@");
  if ([email, local, name].some((own) => own !== "" && isMadeOf(bare, bareOf(own)))) {
    return "This password is your own name or address, which is what is tried first. Choose another.";
  }
  return isCommon(bare) || isSeries(text)
    ? "This password is one of those that are tried first. Choose another."
    : null;
}

function isCommon(bare: string): boolean {
  return commonPasswords.some((common) => isMadeOf(bare, common));
}

/** Nothing but the word again and again, perhaps with digits behind. */
function isMadeOf(bare: string, word: string): boolean {
  const rest = word === "" ? bare : bare.split(word).join("");
  return word !== "" && bare.startsWith(word) && /^\d*$/.test(rest);
}

/** One character again and again, or each the next of the one before. */
function isSeries(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size <= 1 || new Set(codes).size <= 2;
}

function bareOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("@", "a")
    .replaceAll("$", "s")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
