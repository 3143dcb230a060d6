import { addCopyButtons } from "./copy-buttons.ts";
import { markCurrentHeading } from "./current-heading.ts";
import { forwardOldAddress } from "./forward-old-address.ts";
import { setUpSearch } from "./search-dialog.ts";
import { createTabs } from "./tabs.ts";

for (const button of document.querySelectorAll<HTMLElement>("[data-toggle-theme]")) {
  button.hidden = false;
  button.addEventListener("click", () => dispatchEvent(new Event("gateway:toggle-theme")));
}
forwardOldAddress();
createTabs();
addCopyButtons();
markCurrentHeading();
setUpSearch();
document.querySelector(".navigation [aria-current]")?.scrollIntoView({ block: "center" });
