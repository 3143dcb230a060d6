/**
 * Mends what Redocly's page leaves out for people who cannot see it: its navigation is a landmark, and a choice is called by what
 * is chosen too. The page is drawn as it is scrolled, so this follows.
 */
function mend(): void {
  const menu = document.querySelector("#redoc .menu-content");
  menu?.setAttribute("role", "navigation");
  menu?.setAttribute("aria-label", "Operations");
  for (const button of document.querySelectorAll('#redoc button[aria-haspopup="menu"][aria-label]')) {
    const chosen = button.textContent?.trim() ?? "";
    if (chosen !== "" && !button.ariaLabel?.includes(chosen)) {
      button.ariaLabel = `${button.ariaLabel?.split(":", 1)[0]}: ${chosen}`;
    }
  }
}

let isPlanned = false;

function plan(): void {
  if (!isPlanned) {
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      mend();
    });
  }
}

new MutationObserver(plan).observe(document.body, { childList: true, subtree: true });
plan();
