import { passwordAdvice } from "../browser/password-rules.ts";
import type { Form } from "../browser/read-form.ts";
import { renderButton, renderField, renderForm, type Faults } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { readName, readNewPassword } from "./fields.ts";

/** What a new user says of themselves. */
export type NewUser = { name: string; password: string };

export function readNewUser(form: Form, { email }: { email: string }): NewUser | { faults: Faults } {
  const name = readName(form);
  const password = readNewPassword(form, { email, ...("value" in name && { name: name.value }) });
  if ("value" in name && "value" in password) {
    return { name: name.value, password: password.value };
  }
  return {
    faults: {
      ...("fault" in name && { name: name.fault }),
      ...("fault" in password && { "new-password": password.fault }),
    },
  };
}

export type NewUserView = {
  action: string;
  csrf: string;
  hidden: Readonly<Record<string, string | null>>;
  email: string;
  name: string;
  /** What else is asked of them. */
  more?: Html;
  button: string;
  faults?: Faults | undefined;
};

export function renderNewUserForm({ email, name, more, button, faults, ...form }: NewUserView): Html {
  return renderForm({
    ...form,
    faults,
    body: html`${renderField({
        name: "email",
        label: "E-mail address",
        type: "email",
        value: email,
        autocomplete: "username",
        isReadOnly: true,
      })}${renderField({ name: "name", label: "Your name", value: name, autocomplete: "name", faults, isFirst: true })}${more}${renderNewPassword(faults)}
      <div class="buttons">${renderButton({ label: button })}</div>`,
  });
}

export function renderNewPassword(faults: Faults | undefined, { isFirst = false } = {}): Html {
  return renderField({
    name: "new-password",
    label: "New password",
    type: "password",
    autocomplete: "new-password",
    hint: passwordAdvice,
    isJudged: true,
    faults,
    isFirst,
  });
}
