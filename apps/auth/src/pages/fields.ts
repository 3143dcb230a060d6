import type { Form } from "../browser/read-form.ts";
import { judgePassword } from "../browser/password-rules.ts";

/** Something@something.something, without what no mail program takes: the mail itself is the proof. */
const emailPattern = /^[^\s@"(),:;<>[\\\]\p{C}]{1,64}@[^\s@"(),:;<>[\\\]\p{C}]+\.[^\s@"(),:;<>[\\\]\p{C}]+$/u;
const maxEmailLength = 254;
const maxNameLength = 100;

/** A value that can be worked with, or what is wrong with the field. */
export type Read = { value: string } | { fault: string };

export function readEmail(form: Form, name = "email"): Read {
  const value = (form.get(name) ?? "").trim();
  if (value === "") {
    return { fault: "Enter your e-mail address." };
  }
  return value.length <= maxEmailLength && emailPattern.test(value)
    ? { value }
    : { fault: "Enter an e-mail address such as name@example.com." };
}

export function readName(form: Form, { name = "name", what = "your name" } = {}): Read {
  const value = (form.get(name) ?? "").trim();
  if (value === "") {
    return { fault: `Enter ${what}.` };
  }
  if (Array.from(value).length > maxNameLength) {
    return { fault: `Enter ${what} in at most ${maxNameLength} characters.` };
  }
  return /\p{C}/u.test(value.replaceAll("\u200d", ""))
    ? { fault: `Enter ${what} without control characters.` }
    : { value };
}

/** As it was typed: spaces count. */
export function readNewPassword(form: Form, of: { email: string; name?: string }): Read {
  const value = form.get("new-password") ?? "";
  const fault = judgePassword(value, of);
  return fault === null ? { value } : { fault };
}
