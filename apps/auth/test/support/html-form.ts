/** A form as a browser without script sees it. */
export type HtmlForm = {
  action: string;
  method: string;
  /** The values that an untouched form sends: hidden and filled inputs, chosen radio buttons. */
  values: [name: string, value: string][];
  /** Names of the inputs that a user fills. */
  inputs: string[];
  buttons: { name: string | null; value: string; label: string }[];
};

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#96;": "`",
  "&amp;": "&",
};

/** Reads the forms of a page, with the buttons that refer to one by `form=`. */
export function readForms(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, tag = "", body = ""]) => {
    const form = attributesOf(tag);
    const outside = form["id"] === undefined ? "" : html;
    const inputs = elementsOf(body, "input");
    return {
      action: form["action"] ?? "",
      method: form["method"] ?? "get",
      values: inputs.filter(isSent).map(({ name = "", value = "on" }) => [name, value]),
      inputs: inputs.filter(({ type = "text" }) => type !== "hidden").map(({ name = "" }) => name),
      buttons: [
        ...buttonsOf(body),
        ...buttonsOf(outside).filter((button) => button.form !== null && button.form === form["id"]),
      ],
    };
  });
}

function isSent({ type = "text", name, value, checked }: Record<string, string>): boolean {
  const isChosen = type === "radio" || type === "checkbox" ? checked !== undefined : value !== undefined;
  return name !== undefined && type !== "submit" && isChosen;
}

function buttonsOf(html: string): { name: string | null; value: string; label: string; form: string | null }[] {
  return [...html.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].map(([, tag = "", label = ""]) => {
    const { name = null, value = "", form = null } = attributesOf(tag) as Partial<Record<string, string>>;
    return { name, value, form, label: label.trim() };
  });
}

function elementsOf(html: string, element: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${element}\\b([^>]*)>`, "g"))].map(([, tag = ""]) => attributesOf(tag));
}

function attributesOf(tag: string): Record<string, string> {
  const pairs = [...tag.matchAll(/([\w-]+)(?:\s*=\s*"([^"]*)")?/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decode(value)]));
}

function decode(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|#96|amp);/g, (entity) => entities[entity] ?? entity);
}
