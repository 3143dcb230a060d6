import { html, markupOfLibrary } from "./html.ts";
import { renderStrangersName } from "./strangers-name.ts";
import { renderLayout } from "./layout.ts";

/** Asks before an application ends the session. `form` is the library's, and the buttons of this page submit it. */
export function renderLogoutQuestion({
  form,
  applicationName,
}: {
  form: string;
  applicationName: string | null;
}): string {
  return renderLayout({
    title: "Sign out?",
    body: html`<p>
        ${applicationName === null ? "An application" : renderStrangersName(applicationName)} asks to sign you out of
        Gateway in this browser.
      </p>
      ${markupOfLibrary(form)}
      <div class="buttons">
        <button type="submit" class="main" form="op.logoutForm" name="logout" value="yes">Sign out</button>
        <button type="submit" class="quiet" form="op.logoutForm">Stay signed in</button>
      </div>`,
  });
}

export function renderSignedOut(): string {
  return renderLayout({
    title: "You are signed out",
    body: html`<p>This browser is signed out. Other devices stay signed in.</p>
      <p><a class="button quiet" href="/sign-in">Sign in again</a></p>`,
  });
}
