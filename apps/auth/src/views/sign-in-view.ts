import { html, type Html } from "./html.ts";
import { renderButton, renderField, renderForm, type Faults } from "./form.ts";

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
    body: html`${renderField({
        name: "email",
        label: "E-mail address",
        type: "email",
        value: view.email,
        autocomplete: "username webauthn",
        faults,
        isFirst: view.email === "",
        isReadOnly: isEmailFixed,
      })}${renderField({
        name: "password",
        label: "Password",
        type: "password",
        autocomplete: "current-password",
        faults,
        isFirst: view.email !== "",
      })}
      <div class="buttons">${renderButton({ label: "Sign in" })}</div>`,
  })}
  ${passkeyOptions !== null && renderPasskeySignIn({ action: view.passkeyAction, csrf, hidden, options: passkeyOptions })}
  ${view.links}`;
}

/** Hidden until the script finds that the browser can do it. */
function renderPasskeySignIn({
  action,
  csrf,
  hidden,
  options,
}: {
  action: string;
  csrf: string;
  hidden: Readonly<Record<string, string | null>>;
  options: string;
}): Html {
  return html`<div class="or" data-passkey="sign-in" data-options="${options}" hidden>
    ${renderForm({ action, csrf, hidden: { ...hidden, credential: "" }, body: html`<div class="buttons">${renderButton({ label: "Sign in with a passkey", kind: "quiet" })}</div>` })}
    <div class="faults" role="alert" hidden></div>
  </div>`;
}
