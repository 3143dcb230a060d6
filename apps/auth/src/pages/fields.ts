import { hasHiddenCharacters, plainCharacter } from "@gateway/engine/hidden-characters";
import { isEmailAddress } from "@gateway/platform/auth";
import type { Form } from "../browser/read-form.ts";
import { judgePassword } from "../browser/password-rules.ts";

const maxNameLength = 100;

/** A valid value, or the fault of the field. */
export type Read = { value: string } | { fault: string };

const maxKnownLength = 254;
const wrongEmail: Read = { fault: "Enter an e-mail address such as name@example.com." };

export function readEmail(form: Form): Read {
  const known = readKnownEmail(form);
  return "fault" in known || isEmailAddress(known.value) ? known : wrongEmail;
}

/**
 * The address of a possible user. Older users may have addresses that are no longer accepted, so the check is weaker.
 */
export function readKnownEmail(form: Form): Read {
  const value = (form.get("email") ?? "").trim();
  if (value === "") {
    return { fault: "Enter your e-mail address." };
  }
  return value.length <= maxKnownLength && /^[^\s\p{C}]+@[^\s\p{C}]+$/u.test(value) ? { value } : wrongEmail;
}

/** The `pattern` of a name field: accepts what `readName` accepts. Browsers match it against the whole value. */
export const namePattern = String.raw`\s*(?=\S)${plainCharacter}{1,${maxNameLength}}\s*`;

export function readName(form: Form, { name = "name", what = "your name" } = {}): Read {
  const value = (form.get(name) ?? "").trim();
  if (value === "") {
    return { fault: `Enter ${what}.` };
  }
  if (Array.from(value).length > maxNameLength) {
    return { fault: `Enter ${what} in at most ${maxNameLength} characters.` };
  }
  return hasHiddenCharacters(value)
    ? { fault: `Enter ${what} without control characters or others that cannot be seen.` }
    : { value };
}

/** The name of a new account. Null when it is empty: the account then gets the user's name. */
export function readAccountName(form: Form): { value: string | null } | { fault: string } {
  const name = "account-name";
  return (form.get(name) ?? "").trim() === ""
    ? { value: null }
    : readName(form, { name, what: "the name of your account" });
}

/** The password as typed, including its spaces. */
export function readNewPassword(form: Form, of: { email: string; name?: string }): Read {
  const value = form.get("new-password") ?? "";
  const fault = judgePassword(value, of);
  return fault === null ? { value } : { fault };
}
