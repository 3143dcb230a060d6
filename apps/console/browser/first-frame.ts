import "@gateway/design/tokens.css";
import "@gateway/design/base.css";
import "./styles/index.css";
import { applyTheme } from "./data/preferences.ts";

/** Paints what the document carries before the program runs, which takes the processor for some 200 ms. */
applyTheme();

const painted = new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
/** A page in the background has no frames, and in the foreground nobody waits for one longer than for the program. */
const given = new Promise<void>((resolve) => setTimeout(resolve, document.hidden ? 0 : 1_000));

void Promise.race([painted, given]).then(() => import("./main.tsx"));
