import { html, type Html } from "./html.ts";

/** The faults of a form: a sentence for each field, and one for the form as a whole. */
export type Faults = Readonly<Record<string, string>>;

export const wholeForm = "form";

export type FormView = {
  action: string;
  csrf: string;
  hidden?: Readonly<Record<string, string | null>>;
  faults?: Faults | undefined;
  fields?: readonly (Omit<Field, "faults"> | Html)[];
  /** Buttons side by side, and links next to them. A string is the label of the main button. */
  buttons: readonly (string | Button | Html)[];
};

export function renderForm({ action, csrf, hidden = {}, faults = {}, fields = [], buttons }: FormView): Html {
  const unseen = Object.entries({ csrf, ...hidden }).filter(([, value]) => value !== null);
  return html`${renderFaults(faults)}
    <form method="post" action="${action}" novalidate>
      ${unseen.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${fields.map((field) => ("markup" in field ? field : renderField({ ...field, faults })))}
      <div class="buttons">
        ${buttons.map((one) => (typeof one === "string" ? renderButton({ label: one }) : "markup" in one ? one : renderButton(one)))}
      </div>
    </form>`;
}

/** Takes the focus, so that a screen reader reads it first. Each fault links to its field. */
function renderFaults(faults: Faults): Html {
  const list = Object.entries(faults);
  if (list.length === 0) {
    return html``;
  }
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
    <ul>
      ${list.map(([field, fault]) => html`<li>${field === wholeForm ? fault : html`<a href="#${field}">${fault}</a>`}</li>`)}
    </ul>
  </div> `;
}

export type Field = {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  value?: string | undefined;
  autocomplete: string;
  hint?: string;
  faults?: Faults | undefined;
  isFirst?: boolean;
  isReadOnly?: boolean;
  /** For a script's validity check (`checkValidity`). The server reports the fault. */
  pattern?: string;
  isOptional?: boolean;
  /** A new password, which a script rates. */
  isJudged?: boolean;
};

/** Has no `maxlength`, because browsers cut pasted text and so change a password of a password manager. */
export function renderField(field: Field): Html {
  const { name, label, type = "text", hint, faults = {} } = field;
  const fault = faults[name];
  const describedBy = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(Boolean);
  const isFocused = field.isFirst === true && Object.keys(faults).length === 0;
  const input = renderInput(field, { describedBy, isFocused });
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${type === "password" ? renderRevealed(field, input) : input}
    ${field.isJudged === true && html`<p class="strength" data-strength="${name}" role="status" hidden></p>`}
    ${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
  </div> `;
}

function renderInput(
  field: Field,
  { describedBy, isFocused }: { describedBy: readonly unknown[]; isFocused: boolean },
): Html {
  const { name, type = "text", value = "", autocomplete, faults = {} } = field;
  const fault = faults[name];
  return html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    value="${type === "password" ? "" : value}"
    autocomplete="${autocomplete}"
    ${field.isOptional !== true && html` required`}
    ${type === "email" && html` inputmode="email" autocapitalize="none" spellcheck="false"`}
    ${field.pattern !== undefined && html` pattern="${field.pattern}"`}
    ${field.isReadOnly === true && html` readonly`}
    ${isFocused && html` autofocus`}
    ${describedBy.length > 0 && html` aria-describedby="${describedBy.join(" ")}"`}
    ${fault !== undefined && html` aria-invalid="true"`}
  />`;
}

function renderRevealed({ name, label }: Field, input: Html): Html {
  return html`<div class="revealed">
    ${input}
    <button type="button" class="reveal" data-reveal="${name}" aria-pressed="false" aria-label="Show: ${label}" hidden>
      <span aria-hidden="true"></span>
    </button>
  </div>`;
}

type Button = { label: string; kind?: "main" | "quiet" | "danger"; name?: string; value?: string };

function renderButton({ label, kind = "main", name, value }: Button): Html {
  return html`<button type="submit" class="${kind}" ${name !== undefined && html` name="${name}" value="${value}"`}>
    ${label}
  </button>`;
}
