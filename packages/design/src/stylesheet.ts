import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Fonts, tokens and base styles, to stand before a program's own. It names the fonts as `listFontFiles` does, beside
 * it, and is for light and dark: the system's, or that of the class `light` or `dark` on the root.
 */
export function readBaseStylesheet(): string {
  return ["tokens.css", "base.css"].map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
}
