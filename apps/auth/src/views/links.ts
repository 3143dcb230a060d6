import { html } from "./html.ts";

export const backToAccount = html`<nav class="links" aria-label="Other ways on">
  <p><a href="/account">Back to your account</a></p>
</nav>`;
