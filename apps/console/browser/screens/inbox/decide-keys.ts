import { loneKey, useKeyDown } from "../../parts/page/keyboard.ts";

type Keys = { approve(): void; reject(): void };

/** `a` and `r` open the dialog that asks once more; null: there is nothing to decide for this person. */
export function useDecideKeys(keys: Keys | null): void {
  useKeyDown((event) => {
    const key = loneKey(event);
    const decide = key === "a" ? keys?.approve : key === "r" ? keys?.reject : undefined;
    decide?.();
    return decide !== undefined;
  });
}
