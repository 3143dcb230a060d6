/** Text that is markup already. Only `html` makes it, so what came from outside is in it escaped or not at all. */
export type Html = { readonly markup: string };

type Value = Html | string | number | boolean | null | undefined | readonly Value[];

/**
 * A template whose values are escaped for text and for attributes in double quotes, and for nothing else. Markup of
 * `html` stands as it is, lists are joined; null, undefined, true and false are empty: `${isNew && html`<b>new</b>`}`.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: parts.map((part, index) => part + (index < values.length ? render(values[index]) : "")).join("") };
}

/** Markup of the OpenID library, which escapes its values itself. For nothing else. */
export function markupOfLibrary(markup: string): Html {
  return { markup };
}

function render(value: Value): string {
  if (typeof value === "string" || typeof value === "number") {
    return escape(String(value));
  }
  if (value === null || value === undefined || typeof value === "boolean") {
    return "";
  }
  return "markup" in value ? value.markup : value.map(render).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // Old browsers ended an attribute with it.
  "`": "&#96;",
};

function escape(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => entities[character] ?? "");
}
