import type { Page } from "playwright-core";

/** More stops than any of our pages has. */
const maxStops = 60;

/** Presses the Tab key until the focus is on the element of this name, as a screen reader says it. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let stops = 0; stops < maxStops; stops += 1) {
    const focused = await nameOfFocus(page);
    if (typeof name === "string" ? focused === name : name.test(focused)) {
      return;
    }
    seen.push(focused);
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key does not lead to ${String(name)} on ${page.url()}, but to: ${seen.join(" | ")}`);
}

/** Types into the field of this label. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** Goes to a button or link, presses Enter, and waits for the page it leads to. */
export async function pressEnterOn(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
}

/** Runs in the page, so it is plain JavaScript. */
const nameOfFocusScript = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return "";
  const text = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
  return text.replace(/\\s+/g, " ").trim();
})()`;

function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate<string>(nameOfFocusScript);
}
