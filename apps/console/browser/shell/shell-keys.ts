import { useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { loneKey, useKeyDown } from "../parts/page/keyboard.ts";
import { places } from "./places.ts";

const waitMs = 1200;

export function useShellKeys({ openPalette, openHelp }: { openPalette(): void; openHelp(): void }): void {
  const router = useRouter();
  const goneAtMs = useRef(-Infinity);
  useKeyDown(
    (event) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        openPalette();
        return true;
      }
      const key = loneKey(event);
      if (key === null) {
        return false;
      }
      const isGoing = performance.now() - goneAtMs.current < waitMs;
      const place = isGoing ? places.find(({ letter }) => letter === key) : undefined;
      goneAtMs.current = key === "g" ? performance.now() : -Infinity;
      if (place) {
        // Stops the letter before the keys of a list receive it.
        event.stopImmediatePropagation();
        router.history.push(place.path);
      } else if (key === "?") {
        openHelp();
      }
      return place !== undefined || key === "?";
    },
    { capture: true },
  );
}
