const key = "snippets";

type Tab = { label: string; button: HTMLButtonElement; panel: HTMLElement };

/** Turns alternative blocks of code into tabs. A choice counts everywhere, on the next page too. */
export function createTabs(): void {
  const groups = Array.from(document.querySelectorAll<HTMLElement>(".tabs"), createGroup);
  const choose = (label: string): void => groups.forEach((tabs) => showTab(tabs, label));
  for (const tabs of groups) {
    showTab(tabs, tabs[0]?.label ?? "");
    for (const { label, button } of tabs) {
      button.addEventListener("click", () => {
        remember(label);
        choose(label);
      });
      button.addEventListener("keydown", ({ key: pressed }) => moveFocus(tabs, button, pressed));
    }
  }
  choose(recall() ?? "");
}

function createGroup(container: HTMLElement, group: number): Tab[] {
  const list = document.createElement("div");
  list.role = "tablist";
  const panels = Array.from(container.querySelectorAll<HTMLElement>(".code"));
  const tabs = panels.map((panel, index) => createTab(panel, `snippet-${group}-${index}`));
  list.append(...tabs.map(({ button }) => button));
  container.prepend(list);
  return tabs;
}

function createTab(panel: HTMLElement, id: string): Tab {
  const label = panel.dataset["label"] ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.role = "tab";
  button.id = `${id}-tab`;
  button.textContent = label;
  button.setAttribute("aria-controls", id);
  panel.id = id;
  panel.role = "tabpanel";
  panel.setAttribute("aria-labelledby", button.id);
  return { label, button, panel };
}

/** A group that has no such tab stays as it is. */
function showTab(tabs: readonly Tab[], label: string): void {
  if (!tabs.some((tab) => tab.label === label)) {
    return;
  }
  for (const { label: own, button, panel } of tabs) {
    const isShown = own === label;
    button.ariaSelected = String(isShown);
    button.tabIndex = isShown ? 0 : -1;
    panel.hidden = !isShown;
  }
}

function moveFocus(tabs: readonly Tab[], from: HTMLButtonElement, pressed: string): void {
  const step = pressed === "ArrowRight" ? 1 : pressed === "ArrowLeft" ? -1 : 0;
  if (step !== 0) {
    const next = tabs.at((tabs.findIndex(({ button }) => button === from) + step) % tabs.length);
    next?.button.focus();
    next?.button.click();
  }
}

function remember(label: string): void {
  try {
    localStorage.setItem(key, label);
  } catch {
    // Storage may be forbidden: the choice then lasts for this page.
  }
}

function recall(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
