import { useSyncExternalStore } from "react";

/** What a person set for this browser. Nothing of the account is in it. */
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
    // Only `setPreferences` writes it; what somebody else wrote there is a setting that nothing reads.
    return { ...defaults, ...(JSON.parse(localStorage.getItem(name) ?? "{}") as Partial<Preferences>) };
  } catch {
    // Somebody else's text, or a browser that keeps nothing: both mean the defaults.
    return defaults;
  }
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(name, JSON.stringify(current));
  } catch {
    // It holds until the page is left.
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
