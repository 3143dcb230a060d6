import type { Response } from "express";

/** Nothing of it is kept: it holds a nonce, or was made for one request. */
export function sendDocument(res: Response, status: number, document: string): void {
  res.status(status).set({ "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8" });
  res.end(document);
}

/** A page of this server's own, without style or script. `refresh`: seconds, and where it leads. */
export function plainPage({ title, body, refresh }: { title: string; body: string; refresh: string | null }): string {
  const again = refresh === null ? "" : `<meta http-equiv="refresh" content="${asText(refresh)}">`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">${again}<title>${asText(title)}</title></head><body><main>${body}</main></body></html>\n`;
}

export function asText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
