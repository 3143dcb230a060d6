import type { SearchHit, SearchResults } from "./create-search.ts";

declare global {
  interface Window {
    /** Set by the search script, which is loaded when the search is opened first. */
    gatewaySearch?: (query: string) => SearchResults;
  }
}

type Elements = { dialog: HTMLDialogElement; input: HTMLInputElement; list: HTMLElement; status: HTMLElement };

// Known only while the script itself runs.
const script = document.currentScript as HTMLScriptElement | null;

/** Opens with the button, `/` or Ctrl K. The index is loaded then, so a page that is only read does not pay for it. */
export function setUpSearch(): void {
  const elements = findElements();
  if (!elements) {
    return;
  }
  const open = (): void => void openSearch(elements);
  for (const button of document.querySelectorAll<HTMLElement>("[data-open-search]")) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  addEventListener("keydown", (event) => {
    if (elements.dialog.open) {
      keepFocus(elements);
    } else if (isShortcut(event)) {
      event.preventDefault();
      open();
    }
  });
  elements.input.addEventListener("input", () => showHits(elements));
  elements.input.addEventListener("keydown", (event) => moveInList(event, elements));
  elements.dialog.addEventListener("click", ({ target }) => {
    if (target === elements.dialog || (target instanceof Element && target.closest("a"))) {
      elements.dialog.close();
    }
  });
}

function findElements(): Elements | null {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.search");
  const input = dialog?.querySelector("input");
  const list = dialog?.querySelector("ul");
  const status = dialog?.querySelector<HTMLElement>(".search-status");
  return dialog && input && list && status ? { dialog, input, list, status } : null;
}

/** Keeps the focus, which a page that scrolls to its anchor late takes away. */
function keepFocus({ input }: Elements): void {
  if (document.activeElement === document.body) {
    input.focus();
  }
}

function isShortcut({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return (key === "k" && (ctrlKey || metaKey)) || (key === "/" && !isTyping && !ctrlKey && !metaKey);
}

async function openSearch(elements: Elements): Promise<void> {
  elements.dialog.showModal();
  elements.input.select();
  if (!window.gatewaySearch) {
    try {
      await loadScript(script?.dataset["index"]);
      await loadScript(script?.dataset["search"]);
    } catch {
      elements.status.textContent = "The search could not be loaded.";
      return;
    }
  }
  showHits(elements);
}

function loadScript(source = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = source;
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error(`${source} could not be loaded.`)));
    document.head.append(element);
  });
}

function showHits({ input, list, status }: Elements): void {
  const query = input.value.trim();
  const { found, hits }: SearchResults = (query !== "" && window.gatewaySearch?.(query)) || { found: "all", hits: [] };
  list.replaceChildren(...hits.map(createItem));
  input.ariaExpanded = String(hits.length > 0);
  setActive(list, input, 0);
  status.textContent = query === "" ? "" : describe(found, hits.length, query);
}

function describe(found: SearchResults["found"], count: number, query: string): string {
  return {
    all: count === 1 ? "1 result" : `${count} results`,
    some: `Nothing has all of “${query}”. These have a part of it:`,
    none: `Nothing found for “${query}”. It may be called otherwise here; look on these pages:`,
  }[found];
}

function createItem({ url, title, page, excerpt }: SearchHit, index: number): HTMLElement {
  const item = document.createElement("li");
  item.role = "option";
  item.id = `search-hit-${index}`;
  const link = document.createElement("a");
  link.href = (script?.dataset["root"] ?? "") + url;
  link.tabIndex = -1;
  const name = document.createElement("strong");
  name.textContent = title;
  const place = document.createElement("span");
  place.textContent = page;
  const text = document.createElement("p");
  text.append(
    ...excerpt.map((part) => {
      const element = document.createElement(part.isMatch ? "mark" : "span");
      element.textContent = part.text;
      return element;
    }),
  );
  link.append(name, place, text);
  item.append(link);
  return item;
}

function moveInList(event: KeyboardEvent, { list, input, dialog }: Elements): void {
  const items = Array.from(list.children);
  const active = items.findIndex(({ ariaSelected }) => ariaSelected === "true");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = active + (event.key === "ArrowDown" ? 1 : -1);
    setActive(list, input, Math.max(0, Math.min(items.length - 1, next)));
  } else if (event.key === "Enter") {
    event.preventDefault();
    items[active]?.querySelector("a")?.click();
    if (active >= 0) {
      dialog.close();
    }
  }
}

function setActive(list: HTMLElement, input: HTMLElement, active: number): void {
  for (const [index, item] of Array.from(list.children).entries()) {
    item.ariaSelected = String(index === active);
    if (index === active) {
      input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }
  }
  if (list.children.length === 0) {
    input.removeAttribute("aria-activedescendant");
  }
}
