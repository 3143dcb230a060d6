/**
 * Enhances forms that also work without this script. A button shows the password, a word rates a new one, and recovery
 * codes can be copied or downloaded.
 */
import { common, minLength } from "./password-rules.js";
import { strengthOf } from "./password-strength.js";

const reveal = (button) => {
  const field = document.getElementById(button.dataset.reveal);
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.hidden = false;
  button.addEventListener("click", () => show(field.type === "password"));
  // Browsers remember the value, for autofill, only from a password field.
  field.form.addEventListener("submit", () => show(false));
};

const judge = (place) => {
  const field = document.getElementById(place.dataset.strength);
  const valueOf = (name) => field.form.elements.namedItem(name)?.value ?? "";
  field.addEventListener("input", () => {
    const email = valueOf("email") || valueOf("username");
    const own = [email, email.split("@")[0], valueOf("name")].filter(Boolean);
    const { level, word } = strengthOf(field.value, { minLength, common, own });
    place.hidden = field.value === "";
    place.dataset.level = String(level);
    place.textContent = word;
  });
};

const keep = (place) => {
  const text = `${place.dataset.title}\n\n${Array.from(place.querySelectorAll("code"), (code) => code.textContent).join("\n")}\n`;
  const actions = place.querySelector("[data-actions]");
  const [copy, download] = actions.querySelectorAll("button");
  actions.hidden = false;
  copy.addEventListener("click", async () => {
    // The clipboard is missing over http, except on the machine's own address.
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    copy.textContent = await copying.then(
      () => "Copied",
      () => "Not allowed here",
    );
  });
  download.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "gateway-recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  });
};

document.querySelectorAll("[data-reveal]").forEach(reveal);
document.querySelectorAll("[data-strength]").forEach(judge);
document.querySelectorAll("[data-codes]").forEach(keep);
