import type { Form } from "../browser/read-form.ts";
import { renderForm, type Faults, type Field } from "../views/form.ts";
import type { Html } from "../views/html.ts";
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

export type NewUserView = {
  action: string;
  csrf: string;
  hidden: Readonly<Record<string, string | null>>;
  email: string;
  name: string;
  more?: readonly Field[];
  button: string;
  faults?: Faults | undefined;
};

export function renderNewUserForm({ email, name, more = [], button, ...form }: NewUserView): Html {
  const nameField: Field = { name: "name", label: "Your name", value: name, autocomplete: "name", isFirst: true };
  const fields = [ownEmailField(email), nameField, ...more, newPasswordField];
  return renderForm({ ...form, fields, buttons: [button] });
}
