import { useEffect, useRef } from "react";
import { isTyping, usesKeys } from "../../parts/page/keyboard.ts";

type Keys = { approve(): void; reject(): void };

/** `a` and `r` open the dialog that asks once more; null: there is nothing to decide for this person. */
export function useDecideKeys(keys: Keys | null): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (latest.current === null || !usesKeys(event) || isTyping(event)) {
        return;
      }
      const decide = event.key === "a" ? latest.current.approve : event.key === "r" ? latest.current.reject : null;
      if (decide !== null) {
        event.preventDefault();
        decide();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
