import { useSyncExternalStore } from "react";

/** A person's settings in this browser. They do not contain data of the account. */
export type Preferences = {
  zone: "utc" | "local";
  theme: "system" | "light" | "dark";
  keys: boolean;
  codeLanguage: "curl" | "typescript";
};

const name = "console.preferences";
const defaults: Preferences = { zone: "local", theme: "system", keys: true, codeLanguage: "curl" };
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  try {
    // Only `setPreferences` writes it. A setting that other code wrote is never read.
    return { ...defaults, ...(JSON.parse(localStorage.getItem(name) ?? "{}") as Partial<Preferences>) };
  } catch {
    // The text is not JSON, or the browser does not store anything. Both mean the defaults.
    return defaults;
  }
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(name, JSON.stringify(current));
  } catch {
    // The change holds until the page is left.
  }
  applyTheme();
  for (const listener of listeners) {
    listener();
  }
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

export function applyTheme(): void {
  document.documentElement.classList.toggle("light", current.theme === "light");
  document.documentElement.classList.toggle("dark", current.theme === "dark");
}
