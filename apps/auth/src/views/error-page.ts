import { html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { quoteName } from "./strangers-name.ts";

export type WayOn = { label: string; href: string };

export type ErrorPage = {
  title: string;
  message: string;
  /** The application that the user came from, if it is known. */
  application?: { name: string; websiteUrl: string | null } | null | undefined;
  /** Without any, the page leads to the user's own pages. */
  waysOn?: readonly WayOn[] | undefined;
};

export const toAccount: WayOn = { label: "Your account", href: "/account" };
export const toSignIn: WayOn = { label: "Sign in", href: "/sign-in" };

/**
 * The page for every failure that has no page of its own. It says what happened and what to do, without internal
 * details.
 */
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

/** Links only to the registered website, because an address in a request may belong to anyone. */
function waysBack(application: ErrorPage["application"]): WayOn[] {
  return application?.websiteUrl
    ? [{ label: `Back to ${quoteName(application.name)}`, href: application.websiteUrl }]
    : [];
}
