import type { Form } from "../browser/read-form.ts";
import type { Faults, Field } from "../views/form.ts";
import { newPasswordField, ownEmailField } from "./known-fields.ts";
import { readName, readNewPassword } from "./fields.ts";

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

export function newUserFields({ email, name, more = [] }: { email: string; name: string; more?: Field[] }): Field[] {
  const nameField: Field = { name: "name", label: "Your name", value: name, autocomplete: "name", isFirst: true };
  return [ownEmailField(email), nameField, ...more, newPasswordField];
}
