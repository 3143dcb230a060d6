import { html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { quoteName } from "./strangers-name.ts";

export type WayOn = { label: string; href: string };

export type ErrorPage = {
  title: string;
  message: string;
  /** That the user came from, where it is known. */
  application?: { name: string; websiteUrl: string | null } | null | undefined;
  /** Without any: to the user's own pages. */
  waysOn?: readonly WayOn[] | undefined;
};

export const toAccount: WayOn = { label: "Your account", href: "/account" };
export const toSignIn: WayOn = { label: "Sign in", href: "/sign-in" };

/** For everything that ends without its page. Says what happened and what to do, and nothing of how. */
export function renderErrorPage({ title, message, application, waysOn = [toSignIn, toAccount] }: ErrorPage): string {
  return renderLayout({
    title,
    body: html`<p>${message}</p>
      <nav class="buttons" aria-label="Ways on">
        ${[...waysBack(application), ...waysOn].map(
          ({ label, href }, index) => html`<a class="button${index > 0 && html` quiet`}" href="${href}">${label}</a> `,
        )}
      </nav>`,
  });
}

/** Only the registered website: what a request names may be anybody's. */
function waysBack(application: ErrorPage["application"]): WayOn[] {
  return application?.websiteUrl
    ? [{ label: `Back to ${quoteName(application.name)}`, href: application.websiteUrl }]
    : [];
}
