/** Runs before the first paint, so that nothing flashes. `theme` holds the reader's choice. */
const key = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const chosen = read();
  const theme = chosen ?? (system.matches ? "dark" : "light");
  document.documentElement.classList.remove("light", "dark");
  document.documentElement.classList.add(theme);
}

function read(): string | null {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    // Storage may be forbidden. Then the system decides.
    return null;
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then lasts for this page.
  }
}

addEventListener("gateway:toggle-theme", () => {
  write(document.documentElement.classList.contains("dark") ? "light" : "dark");
  apply();
});
/** Preloads the fonts before the stylesheet names them. Browsers refuse that for a site in a folder. */
function preloadFonts(script: HTMLOrSVGScriptElement | null): void {
  for (const href of location.protocol === "file:" ? [] : (script?.dataset["fonts"] ?? "").split(" ")) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous", href });
    document.head.append(link);
  }
}

system.addEventListener("change", apply);
apply();
// Reserves the space of elements that a script will add.
document.documentElement.dataset["scripted"] = "";
preloadFonts(document.currentScript);
