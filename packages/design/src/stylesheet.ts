import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Fonts, tokens and base styles, which precede a program's own. The fonts have the names of `listFontFiles`, relative
 * to the stylesheet. It supports light and dark: the system's choice, or that of the class `light` or `dark` on the
 * root.
 */
export function readBaseStylesheet(): string {
  return ["tokens.css", "base.css"].map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
}
