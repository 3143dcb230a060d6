import { html, type Html } from "./html.ts";

export type Layout = {
  /** Names the page, in the tab and as its heading. */
  title: string;
  body: Html;
  notice?: string | undefined;
  /** `narrow` for a single form, `wide` for an overview. */
  width?: "narrow" | "wide";
  /** Our own scripts. The page also works without them. */
  scripts?: readonly ("webauthn.js" | "passkeys.js")[];
  /** False when the environment is not known. */
  isSandbox?: boolean;
};

/** A whole document. It loads nothing from other hosts. */
export function renderLayout({
  title,
  body,
  notice,
  width = "narrow",
  scripts = [],
  isSandbox = false,
}: Layout): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Gateway</title>
        <link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/inter.woff2" />
        <link rel="stylesheet" href="/assets/style.css" />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        ${isHelped(body) && html`<script type="module" src="/assets/fields.js"></script>`}
        ${scripts.map((script) => html`<script src="/assets/${script}" defer></script> `)}
      </head>
      <body>
        <div class="page ${width}">
          <header>
            <a class="brand" href="/account"><span class="mark" aria-hidden="true"></span>Gateway</a>
            ${isSandbox && html`<span class="badge">Sandbox</span>`}
          </header>
          <main>
            <h1>${title}</h1>
            ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`} ${body}
          </main>
        </div>
      </body>
    </html> `.markup;
}

/** Whether the page has something for the script to do. A page that shows an API key runs no script. */
function isHelped({ markup }: Html): boolean {
  return / data-(?:reveal|codes)\b/.test(markup);
}
