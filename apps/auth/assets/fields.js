/** Beside forms that work without this script: a password that can be seen, a word for a new one, codes that can be kept. */
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
  // What browsers keep of a form is a password again.
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
    // Over http, at an address that is not the machine's own, there is no clipboard.
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
