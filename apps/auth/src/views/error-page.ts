import { html } from "./html.ts";
import { renderLayout } from "./layout.ts";

/** For everything that ends without its page. Says what happened and what to do, and nothing of how. */
export function renderErrorPage({ title, message }: { title: string; message: string }): string {
  return renderLayout({ title, body: html`<p>${message}</p>` });
}
