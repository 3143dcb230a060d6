import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { isTyping, usesKeys } from "../parts/page/keyboard.ts";
import { places } from "./places.ts";

const waitMs = 1200;

/** Ctrl K, ?, and g with a letter. */
export function useShellKeys({ openPalette, openHelp }: { openPalette(): void; openHelp(): void }): void {
  const router = useRouter();
  useEffect(() => {
    // Never yet: a page that is younger than the wait has not been told to go anywhere.
    let goneAtMs = -Infinity;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!usesKeys(event) || isTyping(event)) {
        return;
      }
      const place =
        performance.now() - goneAtMs < waitMs ? places.find(({ letter }) => letter === event.key) : undefined;
      goneAtMs = event.key === "g" ? performance.now() : -Infinity;
      if (place) {
        event.preventDefault();
        // Before the keys of a list hear of the letter.
        event.stopImmediatePropagation();
        router.history.push(place.path);
      } else if (event.key === "?") {
        event.preventDefault();
        openHelp();
      }
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, [router, openPalette, openHelp]);
}
