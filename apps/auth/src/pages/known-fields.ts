import { passwordAdvice } from "../browser/password-rules.ts";
import type { Field } from "../views/form.ts";

export const emailField: Field = { name: "email", label: "E-mail address", type: "email", autocomplete: "email" };

/** For the browser to keep the new password with. */
export const ownEmailField = (value: string): Field => ({
  ...emailField,
  ...{ value, autocomplete: "username", isReadOnly: true },
});

export const passwordField: Field = {
  ...{ name: "password", label: "Password", type: "password", autocomplete: "current-password" },
};

export const newPasswordField: Field = {
  ...{ name: "new-password", label: "New password", type: "password", autocomplete: "new-password" },
  ...{ hint: passwordAdvice, isJudged: true },
};
