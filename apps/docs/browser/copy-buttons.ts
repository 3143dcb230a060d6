/** Without a clipboard, as on a page opened from a folder, there is none. */
export function addCopyButtons(): void {
  if (!("clipboard" in navigator)) {
    return;
  }
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.ariaLabel = "Copy the code";
    button.addEventListener("click", () => void copy(block, button));
    block.append(button);
  }
}

async function copy(block: Element, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
