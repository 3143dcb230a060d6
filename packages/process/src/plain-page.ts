/** A server's own page, without style or script. `refresh` is the seconds, and the address that follows. */
export function plainPage({ title, body, refresh }: { title: string; body: string; refresh: string | null }): string {
  const again = refresh === null ? "" : `<meta http-equiv="refresh" content="${asText(refresh)}">`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">${again}<title>${asText(title)}</title></head><body><main>${body}</main></body></html>\n`;
}

export function asText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Replaces pages that are being built, or could not be (`failure`). It reloads without a script. */
export function unbuiltPage(name: string, workspace: string, failure: string | null): string {
  const body =
    failure === null
      ? `<h1>The ${name} is being built</h1><p>This takes a few seconds. The page reloads by itself.</p>`
      : `<h1>The ${name} could not be built</h1><p><code>npm run build -w ${workspace}</code> says why. Its last output was:</p><pre>${asText(failure)}</pre>`;
  return plainPage({ title: `Gateway ${name}`, body, refresh: failure === null ? "2" : null });
}
