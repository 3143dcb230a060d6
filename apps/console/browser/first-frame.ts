import "@gateway/design/tokens.css";
import "@gateway/design/base.css";
import "./styles/index.css";
import { applyTheme } from "./data/preferences.ts";

/** Paints the document before the program runs, because the program takes the processor for some 200 ms. */
applyTheme();

const painted = new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
/**
 * A page in the background has no frames. In the foreground, a missing frame delays the program by at most a second.
 */
const given = new Promise<void>((resolve) => setTimeout(resolve, document.hidden ? 0 : 1_000));

void Promise.race([painted, given])
  .then(() => import("./main.tsx"))
  .catch(showThatNothingCame);

/**
 * Shows that a part of the program did not load: it has another build, or the network failed. The components of `parts`
 * are missing too, so this makes its own elements.
 */
function showThatNothingCame(): void {
  const page = elementOf("main", "alone");
  const failure = elementOf("div", "failure");
  failure.role = "alert";
  const retry = elementOf("button", "button small", "Retry");
  retry.addEventListener("click", () => location.reload());
  failure.append(
    elementOf("div", "", "The console could not be loaded. Check your connection, then try again."),
    retry,
  );
  page.append(failure);
  document.querySelector("#root")?.append(page);
}

function elementOf(tag: "main" | "div" | "button", className: string, text = ""): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}
