import { html, type Html } from "./html.ts";
import { renderForm, type Faults, type FormView } from "./form.ts";
import { emailField, passwordField } from "./known-fields.ts";

export type SignInView = {
  /** Where the password goes, and the passkey's answer. */
  action: string;
  passkeyAction: string;
  csrf: string;
  next: string | null;
  email: string;
  /** True when it is known who must sign in. */
  isEmailFixed?: boolean;
  faults?: Faults | undefined;
  /** JSON of what the passkey is asked; null where none can be used. */
  passkeyOptions: string | null;
  lead?: Html | undefined;
  /** Links to the other ways in. */
  links?: Html | undefined;
};

export function renderSignIn(view: SignInView): Html {
  const { csrf, faults = {}, passkeyOptions, isEmailFixed = false } = view;
  const hidden = { next: view.next };
  return html`${view.lead}${renderForm({
    action: view.action,
    csrf,
    hidden,
    faults,
    fields: [
      {
        ...{ ...emailField, autocomplete: "username webauthn", value: view.email },
        ...{ isFirst: view.email === "", isReadOnly: isEmailFixed },
      },
      { ...passwordField, isFirst: view.email !== "" },
    ],
    buttons: ["Sign in"],
  })}
  ${passkeyOptions !== null && renderPasskeySignIn({ action: view.passkeyAction, csrf, hidden, options: passkeyOptions })}
  ${view.links}`;
}

/** Hidden until the script finds that the browser can do it. */
function renderPasskeySignIn({ hidden, options, ...form }: Omit<FormView, "buttons"> & { options: string }): Html {
  return html`<div class="or" data-passkey="sign-in" data-options="${options}" hidden>
    ${renderForm({ ...form, hidden: { ...hidden, credential: "" }, buttons: [{ label: "Sign in with a passkey", kind: "quiet" }] })}
    <div class="faults" role="alert" hidden></div>
  </div>`;
}
