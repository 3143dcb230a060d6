/**
 * Runs before the first paint, so that nothing flashes. `theme` holds what the reader has chosen, if they have; Redocly's
 * page reads a key of its own, which follows.
 */
const key = "theme";
const keyOfRedocly = "redoc.colorMode";
const system = matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const chosen = read();
  const theme = chosen ?? (system.matches ? "dark" : "light");
  document.documentElement.classList.remove("light", "dark");
  document.documentElement.classList.add(theme);
  write(keyOfRedocly, theme);
}

function read(): string | null {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    // Storage may be forbidden; then the system decides.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then lasts for this page.
  }
}

addEventListener("gateway:toggle-theme", () => {
  write(key, document.documentElement.classList.contains("dark") ? "light" : "dark");
  apply();
});
system.addEventListener("change", apply);
apply();
